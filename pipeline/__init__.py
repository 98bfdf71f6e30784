"""cuad-audit: when may an AI that reviews contracts speak, and when must it abstain?"""

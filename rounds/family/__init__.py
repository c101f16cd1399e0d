"""What games about beans share: fields and the bean rule, hidden hands, orders, events,
headlines, forms. Their words lie in `templates/family/`.
"""

"""board"""
def draw(s): return ""
def name_action(s, action): return str(action)

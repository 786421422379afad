def experiments(workshop):
    return {}

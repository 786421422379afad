def experiments(workshop): return {}

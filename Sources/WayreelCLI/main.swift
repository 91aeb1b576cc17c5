print("wayreel")

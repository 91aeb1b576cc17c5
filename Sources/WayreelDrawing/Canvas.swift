internal import CPango

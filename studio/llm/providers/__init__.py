"""The available providers: the vendor's and compatible servers, and a model in this process."""

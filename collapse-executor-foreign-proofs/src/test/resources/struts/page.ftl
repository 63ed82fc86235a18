<html><body><p>${text}</p></body></html>

"""What a user does, from end to end, through the installed program and the app.

Tests here know the studio by its contracts alone: files, commands, events, exit codes and what is
on the screen. So `dev.py proof` can run them on an older checkout too.
"""

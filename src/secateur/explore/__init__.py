"""The local page that shows runs and strategies.

``sources`` are what it shows, ``opened`` what is computed of them when somebody looks, ``payloads``
what the page gets, ``server`` who may ask, ``admission`` and ``turns`` how often. ``page_files`` is
the page itself: plain HTML, CSS and JavaScript modules in ``static``, which are served as they are.
"""

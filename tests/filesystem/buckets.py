"""A server of one bucket, which speaks as much of S3 as reading takes."""

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

BUCKET = "shelf"
_LIST = """<?xml version="1.0" encoding="UTF-8"?>
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>{bucket}</Name>
<Prefix>{prefix}</Prefix><KeyCount>{count}</KeyCount><IsTruncated>false</IsTruncated>{keys}
</ListBucketResult>"""
_KEY = """<Contents><Key>{key}</Key><LastModified>2026-01-02T03:04:05.000Z</LastModified>
<ETag>"0"</ETag><Size>{size}</Size><StorageClass>STANDARD</StorageClass></Contents>"""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, objects, refused):
        super().__init__(("127.0.0.1", 0), _Answer)
        self.objects, self.refused = objects, refused

    def listing(self, query):
        prefix = query.get("prefix", [""])[0]
        found = [key for key in sorted(self.objects) if key.startswith(prefix)]
        found = found[: int(query.get("max-keys", ["1000"])[0])]
        sizes = ((escape(key), len(self.objects[key])) for key in found)
        keys = "".join(_KEY.format(key=key, size=size) for key, size in sizes)
        told = {"bucket": BUCKET, "prefix": escape(prefix), "count": len(found), "keys": keys}
        return _LIST.format(**told).encode()


class _Answer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        """Say nothing."""

    def do_HEAD(self):
        url = urlsplit(self.path)
        bucket, _, key = unquote(url.path).lstrip("/").partition("/")
        if bucket == BUCKET and not key:
            self.send(200, self.server.listing(parse_qs(url.query)))
        elif bucket != BUCKET or key not in self.server.objects:
            self.send(404)
        elif key in self.server.refused and self.command == "GET":
            self.send(403)
        else:
            self.give(self.server.objects[key])

    do_GET = do_HEAD  # noqa: N815

    def give(self, text):
        """Send an object, or the range of it that is asked for."""
        asked = self.headers.get("Range")
        if asked is None:
            self.send(200, text)
            return
        first, last = (int(number) for number in asked.removeprefix("bytes=").split("-"))
        part = text[first : last + 1]
        self.send(206, part, f"bytes {first}-{first + len(part) - 1}/{len(text)}")

    def send(self, status, body=b"", content_range=None):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("ETag", '"0"')
        self.send_header("Last-Modified", "Fri, 02 Jan 2026 03:04:05 GMT")
        if content_range is not None:
            self.send_header("Content-Range", content_range)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)


@contextmanager
def served(objects, refused=()):
    """Serve `objects`, bytes by key; a GET of those in `refused` is denied. Give the port."""
    with _Server(objects, refused) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()

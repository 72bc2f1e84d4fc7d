import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, HTTPServer

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        id, at = self.headers.get("webhook-id", ""), self.headers.get("webhook-timestamp", "0")
        digest = hmac.new(KEY, f"{id}.{at}.".encode() + body, hashlib.sha256).digest()
        right = "v1," + base64.b64encode(digest).decode()
        given = self.headers.get("webhook-signature", "").split(" ")
        signed = any(hmac.compare_digest(right.encode(), one.encode()) for one in given)
        good = signed and abs(time.time() - int(at)) < 300
        if good:
            print(id, json.loads(body))  # Store it by its id, and work it off later: it may come twice.
        self.send_response(204 if good else 401)
        self.end_headers()


HTTPServer(("", int(os.environ.get("PORT", "8080"))), Receiver).serve_forever()

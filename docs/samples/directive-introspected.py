import base64, json, os, re, urllib.parse, urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ISSUER, API = os.environ["ISSUER"], os.environ["API"]
BASIC = base64.b64encode(f"{os.environ['CLIENT_ID']}:{os.environ['CLIENT_SECRET']}".encode()).decode()


def at(told, *names):
    for name in names:
        told = told.get(name) if isinstance(told, dict) else None
    return told


def token_of(header, told):
    """In the header, or where Alexa, SmartThings, Tmall Genie and Xiaodu put it."""
    bearer = re.fullmatch(r"Bearer (\S+)", header, re.IGNORECASE)
    return (
        (bearer and bearer[1])
        or at(told, "directive", "endpoint", "scope", "token")
        or at(told, "directive", "payload", "scope", "token")
        or at(told, "authentication", "token")
        or at(told, "payload", "accessToken")
    )


def introspect(token):
    form = urllib.parse.urlencode({"token": token, "token_type_hint": "access_token"}).encode()
    request = urllib.request.Request(f"{ISSUER}/oauth/introspect", form, {"Authorization": f"Basic {BASIC}"})
    with urllib.request.urlopen(request, timeout=3) as answer:
        return json.load(answer)


def whose(header, body):
    try:
        token = token_of(header, json.loads(body or b"{}"))
    except ValueError:
        return 400, {}
    if not token:
        return 401, {}
    try:
        facts = introspect(token)
    except OSError:
        return 503, {}  # An outage says nothing about the token: the platform is to ask again.
    if not facts["active"] or facts.get("aud") != API:
        return 401, {}
    if "lights:switch" not in facts.get("scope", "").split():
        return 403, {}
    # Find the lamps of the account, and switch them.
    return 200, {"account": facts.get("sub"), "platform": facts["client_id"]}


class DeviceCloud(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"] or 0))
        status, told = whose(self.headers["authorization"] or "", body)
        self.send_response(status)
        self.end_headers()
        self.wfile.write(json.dumps(told).encode())


ThreadingHTTPServer(("", int(os.environ.get("PORT", "8080"))), DeviceCloud).serve_forever()

"""An installation of Home Assistant that a test steers: one JSON object a line in, one a line out, matched by "id"."""

import asyncio
import inspect
import json
import logging
import sys
import tempfile
import time
import traceback
from types import MappingProxyType

from aiohttp import ClientResponseError, ThreadedResolver
from homeassistant import config_entries, const, core
from homeassistant.components.application_credentials import (
    AuthImplementation,
    AuthorizationServer,
    ClientCredential,
)
from homeassistant.helpers import aiohttp_client
from homeassistant.helpers import config_entry_oauth2_flow as oauth2

DOMAIN = "candela"

# Names of hosts are looked up without the mDNS of the network, which needs components that are not set up here.
aiohttp_client._async_make_resolver = lambda _hass: ThreadedResolver()


class Flow(oauth2.AbstractOAuth2FlowHandler, domain=DOMAIN):
    """The flow of an integration that adds nothing to Home Assistant's own."""

    DOMAIN = DOMAIN
    logger = logging.getLogger(DOMAIN)

    async def async_oauth_create_entry(self, data):
        """Hand the data of the entry to the test's installation."""
        return {"type": "create_entry", "data": data}


def create_entry(data):
    """Make an entry. Releases differ in what they want to be told of it."""
    wanted = inspect.signature(config_entries.ConfigEntry.__init__).parameters
    fields = {
        "version": 1,
        "minor_version": 1,
        "domain": DOMAIN,
        "title": DOMAIN,
        "data": data,
        "source": config_entries.SOURCE_USER,
        "options": {},
        "unique_id": None,
        "discovery_keys": MappingProxyType({}),
        "subentries_data": (),
        # There is no integration to be set up.
        "disabled_by": config_entries.ConfigEntryDisabler.USER,
    }
    return config_entries.ConfigEntry(**{name: fields[name] for name in fields if name in wanted})


class Installation:
    """What a person and an integration do, by the names of the commands."""

    def __init__(self, hass):
        """Begin without flows, entries and sessions."""
        self.hass = hass
        self.flows = {}
        self.entries = {}

    async def about(self):
        """Say which release this is."""
        return {"version": const.__version__, "pkce": hasattr(oauth2, "LocalOAuth2ImplementationWithPkce")}

    def implementation(self, client_id, client_secret, origin, token_url=None, pkce=False):
        """The implementation that application credentials make, or the one with PKCE."""
        urls = {
            "authorize_url": f"{origin}/oauth/authorize",
            "token_url": token_url or f"{origin}/oauth/token",
        }
        if pkce:
            return oauth2.LocalOAuth2ImplementationWithPkce(
                self.hass, DOMAIN, client_id, client_secret=client_secret, **urls
            )
        credential = ClientCredential(client_id, client_secret, DOMAIN)
        return AuthImplementation(self.hass, DOMAIN, credential, AuthorizationServer(**urls))

    async def begin(self, flow, **settings):
        """Begin a flow; answer the address that it opens."""
        handler = Flow()
        handler.hass = self.hass
        handler.flow_id = flow
        handler.context = {"source": config_entries.SOURCE_USER}
        handler.flow_impl = self.implementation(**settings)
        self.flows[flow] = handler
        return {"url": (await handler.async_step_auth())["url"]}

    async def finish(self, callback):
        """Take up the flow as the callback view does; answer the name of the entry, or why there is none."""
        state = oauth2._decode_jwt(self.hass, callback.pop("state"))
        if state is None:
            return {"reason": "invalid_state"}
        handler = self.flows.pop(state["flow_id"])
        step = await handler.async_step_auth({"state": state, **callback})
        result = await getattr(handler, f"async_step_{step['step_id']}")()
        if "data" not in result:
            return {"reason": result["reason"]}
        entry = create_entry(result["data"])
        await self.hass.config_entries.async_add(entry)
        self.entries[state["flow_id"]] = (entry, handler.flow_impl)
        return {"token": dict(entry.data["token"])}

    def session(self, flow, token_url=None):
        """A session of an entry. Each has a lock of its own, so that two of one entry refresh at once."""
        entry, implementation = self.entries[flow]
        if token_url:
            implementation._token_url = implementation.token_url = token_url
        return oauth2.OAuth2Session(self.hass, entry, implementation)

    async def expire(self, flow):
        """Let the access token of an entry be over, by the clock of the installation."""
        entry, _ = self.entries[flow]
        token = {**entry.data["token"], "expires_at": time.time() - 1}
        self.hass.config_entries.async_update_entry(entry, data={**entry.data, "token": token})
        return {}

    async def refresh(self, flow, sessions=1, token_url=None, timeout=None):
        """Have sessions of an entry refresh at once, as integrations do before they poll."""
        made = [self.session(flow, token_url) for _ in range(sessions)]
        async with asyncio.timeout(timeout):
            await asyncio.gather(*(one.async_ensure_token_valid() for one in made))
        return {"token": dict(self.entries[flow][0].data["token"])}

    async def request(self, flow, url):
        """Ask an API with the access token, refreshed if it has to be."""
        answer = await self.session(flow).async_request("get", url)
        return {"status": answer.status}


async def answer(installation, line):
    """Carry a command out."""
    command = json.loads(line)
    name, number = command.pop("do"), command.pop("id")
    try:
        result = await getattr(installation, name)(**command)
    except ClientResponseError as error:
        result = {"error": "status", "status": error.status}
    except TimeoutError:
        result = {"error": "timeout"}
    except Exception:  # The test is told of whatever goes wrong.
        result = {"failure": traceback.format_exc()}
    print(json.dumps({"id": number, **result}), flush=True)


async def main():
    """Serve until the input ends."""
    with tempfile.TemporaryDirectory() as directory:
        hass = core.HomeAssistant(directory)
        hass.config_entries = config_entries.ConfigEntries(hass, {})
        # The redirect page of Home Assistant is set up, and so is the integration: it has nothing to set up.
        hass.config.components.update({"my", DOMAIN})
        installation = Installation(hass)
        loop = asyncio.get_running_loop()
        while line := await loop.run_in_executor(None, sys.stdin.readline):
            hass.async_create_task(answer(installation, line))
        await hass.async_stop(force=True)


asyncio.run(main())

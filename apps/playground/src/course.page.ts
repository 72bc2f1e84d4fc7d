import type { Registration } from './authorization-server.ts';
import type { Exchange } from './exchanges.ts';
import { type Html, html } from './html.ts';
import { renderFacts } from './layout.ts';

/** What a request is for, and what its answer means. */
interface Meaning {
  name: string;
  meaning: string;
}

const meanings: readonly (readonly [path: RegExp, Meaning])[] = [
  [
    /\/\.well-known\//,
    {
      name: 'Discovery',
      meaning: 'The app reads where the endpoints are and what the server supports. It asks once.',
    },
  ],
  [
    /\/oauth\/jwks$/,
    { name: 'Keys', meaning: 'The app fetches the public keys that verify the signature of the id_token.' },
  ],
  [
    /\/oauth\/authorize$/,
    {
      name: 'Authorization request',
      meaning:
        'The browser carries it. It names the app, the scopes and the address to come back to. state ties the answer to this browser, code_challenge ties the code to this app.',
    },
  ],
  [
    /\/oauth\/token$/,
    {
      name: 'Token request',
      meaning:
        'The app proves who it is and exchanges what it holds for tokens: a code together with code_verifier, or a refresh token.',
    },
  ],
  [
    /\/oauth\/userinfo$/,
    { name: 'Userinfo', meaning: 'The access token opens the claims that the person approved.' },
  ],
  [
    /\/oauth\/introspect$/,
    {
      name: 'Introspection',
      meaning:
        'An API asks whether a token is good, and whose it is. "active": false says no more than that.',
    },
  ],
  [
    /\/oauth\/revoke$/,
    {
      name: 'Revocation',
      meaning: 'The tokens are no longer good. The answer is 200 for an unknown token too.',
    },
  ],
  [
    /\/oauth\/logout$/,
    {
      name: 'Logout',
      meaning: 'The browser carries it. The session at Candela ends too, if the person agrees.',
    },
  ],
];

const callback: Meaning = {
  name: 'Authorization answer',
  meaning:
    'The browser comes back with a code, which is good once and for 60 seconds. The app checks state, and iss: who answered.',
};

function meaningOf(url: string, { redirectUri }: Registration): Meaning {
  if (url === redirectUri) return callback;
  const found = meanings.find(([path]) => path.test(new URL(url).pathname));
  return found?.[1] ?? { name: 'Request', meaning: '' };
}

function renderExchange(exchange: Exchange, registration: Registration): Html {
  const { name, meaning } = meaningOf(exchange.url, registration);
  const { method, url, proof, sent, status, received } = exchange;
  return html`<li>
<details data-testid="exchange">
<summary>${name}${status !== undefined && html` <span class="muted">${status}</span>`}</summary>
<p>${meaning}</p>
<pre>${method} ${url}</pre>
${proof !== undefined && html`<p class="muted">Proof: ${proof}.</p>`}
${Object.keys(sent).length > 0 && html`<h3>Sent</h3>${renderFacts(Object.entries(sent))}`}
${received !== undefined && html`<h3>Received</h3><pre>${JSON.stringify(received, null, 2)}</pre>`}
</details>
</li>`;
}

/** What the last action sent and received, step by step. Nothing before the first action. */
export function renderCourse(
  exchanges: readonly Exchange[] | undefined,
  registration: Registration,
): Html | undefined {
  if (!exchanges || exchanges.length === 0) return undefined;
  return html`<section class="card" data-testid="course">
<h2>What just happened, step by step</h2>
<ol class="plan">${exchanges.map((exchange) => renderExchange(exchange, registration))}</ol>
</section>`;
}

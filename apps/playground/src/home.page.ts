import type { Registration, Tokens } from './authorization-server.ts';
import { renderCourse } from './course.page.ts';
import { abbreviate } from './exchanges.ts';
import { type Html, html } from './html.ts';
import { renderDocument, renderFacts, renderJson, renderOutcome } from './layout.ts';
import { prompts, scopes } from './sign-in-options.ts';
import { type SignIn, takeOutcome, type Visitor } from './visitors.ts';

/** The home page: what this app is and the form to sign in, or the session of the person who is signed in. */
export function renderHome(registration: Registration, visitor: Visitor): string {
  const outcome = renderOutcome(takeOutcome(visitor));
  const { signIn } = visitor;
  if (!signIn) {
    return renderDocument('Sign in', [
      outcome,
      renderWelcome(registration),
      renderCourse(visitor.exchanges, registration),
      renderRegistration(registration),
    ]);
  }
  return renderDocument('Signed in', [
    outcome,
    renderGreeting(signIn),
    renderTokens(signIn),
    renderCourse(visitor.exchanges, registration),
    signIn.userinfo && renderJson('Userinfo', 'userinfo', signIn.userinfo),
    signIn.introspection &&
      renderJson('Introspection of the access token', 'introspection', signIn.introspection),
    signIn.tokens.claims && renderJson('Verified claims of the id_token', 'claims', signIn.tokens.claims),
    renderNext(registration),
    html`<details class="card">
<summary>Sign in again</summary>
${renderSignInForm('sign-in-again', 'Sign in again')}
</details>`,
    renderRegistration(registration),
  ]);
}

/** For somebody who has never seen Candela. */
function renderWelcome({ issuer }: Registration): Html {
  return html`<section class="card">
<h1>Try signing in</h1>
<p>This page plays an app of somebody else: a thermostat, a voice assistant, a website. It has no users of its own. It lets Candela, at <strong>${issuer}</strong>, say who you are, and shows every answer as it came.</p>
${renderSignInForm('sign-in', 'Sign in')}
<h2>What will happen</h2>
<ol class="plan">
<li>Your browser goes to Candela. Register there with any e-mail address or phone number: nothing is sent while no gateway is configured.</li>
<li>The verification code is printed in the terminal that runs Candela, and is the last line of <code>data/outbox.jsonl</code>.</li>
<li>Candela asks whether this app may know your name. Approve it, and you come back here, signed in.</li>
</ol>
</section>`;
}

function renderNext({ issuer }: Registration): Html {
  return html`<section class="card">
<h2>What to look at next</h2>
<ul class="plan">
<li><a href="${issuer}/tokens">${issuer}/tokens</a>: your approval of this app. Withdraw it, come back, and press Refresh.</li>
<li><a href="${issuer}/developers">${issuer}/developers</a>: register an app of your own. An operator allows it first: <code>npx pnpm@12 candela developer allow you@example.com</code>.</li>
<li><a href="/mcp">An MCP server</a> with two lamps: connect an AI assistant to it, and watch it ask you.</li>
<li><a href="${issuer}/.well-known/openid-configuration">Discovery</a>: all that a library needs to know. <code>docs/integrating</code> has the programs for the common ones.</li>
</ul>
</section>`;
}

function renderSignInForm(testId: string, label: string): Html {
  return html`<form method="get" action="/sign-in">
<button class="button primary" data-testid="${testId}">${label}</button>
<details class="options" data-testid="${testId}-options">
<summary>Options</summary>
<fieldset>
<legend>scope</legend>
${scopes.map(
  ({ name, isDefault }) =>
    html`<label class="check"><input type="checkbox" name="scope" value="${name}"${isDefault && html` checked`}> ${name}</label>`,
)}
</fieldset>
<label>prompt
<select name="prompt"><option value="">not sent</option>${prompts.map((prompt) => html`<option>${prompt}</option>`)}</select></label>
<label>ui_locales <input name="ui_locales" placeholder="ru zh-Hant" maxlength="100" autocomplete="off"></label>
<label>login_hint <input name="login_hint" placeholder="person@example.com" maxlength="256" autocomplete="off"></label>
<label>max_age, in seconds <input name="max_age" type="number" min="0" max="999999999" inputmode="numeric"></label>
</details>
</form>`;
}

function renderGreeting({ tokens, userinfo }: SignIn): Html {
  const person =
    userinfo?.nickname ?? userinfo?.name ?? userinfo?.email ?? userinfo?.phone_number ?? tokens.claims?.sub;
  const canRefresh = tokens.refreshToken !== undefined;
  return html`<section class="card">
<h1>Signed in${person !== undefined && html` as <span class="person">${String(person)}</span>`}</h1>
<div class="actions">
${renderAction('refresh', 'Refresh', canRefresh)}
${renderAction('userinfo', 'Ask userinfo', true, 'userinfo-again')}
${renderAction('introspect', 'Introspect', true)}
${renderAction('revoke', 'Revoke', true)}
${renderAction('sign-out', 'Sign out', true)}
</div>
${!canRefresh && html`<p class="muted">No refresh token was issued, so there is nothing to refresh with.</p>`}
</section>`;
}

function renderAction(path: string, label: string, isEnabled: boolean, testId = path): Html {
  return html`<form method="post" action="/${path}"><button class="button" data-testid="${testId}"${!isEnabled && html` disabled`}>${label}</button></form>`;
}

function renderTokens({ tokens, refreshes }: SignIn): Html {
  const times = refreshes === 1 ? 'once' : `${refreshes} times`;
  return html`<section class="card">
<h2>Token response</h2>
${refreshes > 0 && html`<p data-testid="refreshed">Refreshed ${times}, last at ${clockTime(tokens.receivedAt)}.</p>`}
<div data-testid="tokens">${renderFacts([
    ['Access token', abbreviate(tokens.accessToken)],
    ['Type', tokens.tokenType],
    ['Received', clockTime(tokens.receivedAt)],
    ['Expires', expiry(tokens)],
    ['Scope', tokens.scope],
    ['Refresh token', tokens.refreshToken === undefined ? 'none' : abbreviate(tokens.refreshToken)],
  ])}</div>
</section>`;
}

function renderRegistration(registration: Registration): Html {
  return html`<details class="card">
<summary>How this app is registered</summary>
${renderFacts([
  ['Issuer', registration.issuer],
  ['Client', registration.clientId],
  ['Redirect URI', registration.redirectUri],
  ['After sign-out', registration.postLogoutRedirectUri],
  ['Protected by', 'authorization code, PKCE S256, state, nonce'],
])}
</details>`;
}

function expiry({ expiresAt, receivedAt }: Tokens): string {
  if (!expiresAt) return 'not told';
  const lifetimeSeconds = Math.round((expiresAt.getTime() - receivedAt.getTime()) / 1000);
  return `${clockTime(expiresAt)}, ${lifetimeSeconds} seconds after it was received`;
}

function clockTime(date: Date): string {
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

import { html } from '../html.ts';
import { renderDocument, renderFacts } from '../layout.ts';

/** Says what the address of the lamps is for, to a person who opens it in a browser. */
export function renderAssistants({ url, issuer }: { url: string; issuer: string }): string {
  return renderDocument('Lamps for an assistant', [
    html`<section class="card">
<h1>Two lamps for your AI assistant</h1>
<p>This is an MCP server: it gives an AI assistant tools, here to see and to switch two lamps. Give its address to an assistant that can connect to MCP servers by HTTP, and ask it to switch on the desk lamp.</p>
<pre data-testid="mcp-url">${url}</pre>
<p>The assistant finds out by itself who decides, and opens a browser there. You sign in, and you allow it to use the two lamps, or you do not. To end the connection, open <a href="${issuer}/tokens">Authorization management</a> and remove the assistant.</p>
</section>`,
    html`<section class="card">
<h2>How the assistant gets in</h2>
<p>It asks here without a token, and is told where the description of this API is. The description names the authorization server, which gives the assistant a token for this API alone.</p>
${renderFacts([
  ['Authorization server', issuer],
  ['API (resource)', url],
  ['Scopes', 'lamps:read lamps:switch'],
])}
<p>The assistant is known there in one of three ways: a developer registered it, it describes itself by a client id metadata document (<code>CLIENT_DOCUMENTS</code>), or it registers itself (<code>DYNAMIC_REGISTRATION</code>).</p>
</section>`,
  ]);
}

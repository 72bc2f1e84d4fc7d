import { Html, html } from './html.ts';
import type { Problem } from './problem.ts';
import type { Outcome } from './visitors.ts';

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E" +
  "%3Crect width='16' height='16' rx='4' fill='%234a55c8'/%3E%3Cpath d='M5 11V5l6 3z' fill='white'/%3E%3C/svg%3E";

/** The whole document, with the sections of a page. */
export function renderDocument(title: string, sections: readonly (Html | undefined)[]): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} - Playground</title>
<link rel="icon" href="${new Html(icon)}">
<link rel="stylesheet" href="/playground.css">
</head>
<body>
<header class="bar"><a class="name" href="/">Playground</a> <span class="muted">a third-party app</span></header>
<main>${sections}</main>
</body>
</html>
`.markup;
}

/** A page that only gives the reason of a refusal. */
export function renderRefusal(status: number, reason: string): string {
  const heading = status >= 500 ? 'Something failed' : 'That did not work';
  return renderDocument(heading, [
    html`<section class="card" data-testid="error">
<h1>${heading}</h1>
<p>${reason}</p>
<p class="muted">HTTP ${status}</p>
<p><a class="button" href="/">Back to the start</a></p>
</section>`,
  ]);
}

export function renderOutcome(outcome: Outcome | undefined): Html | undefined {
  if (!outcome) return undefined;
  if ('notice' in outcome)
    return html`<p class="notice" role="status" data-testid="notice">${outcome.notice}</p>`;
  return renderProblem(outcome.problem);
}

function renderProblem(problem: Problem): Html {
  return html`<section class="card problem" role="alert" data-testid="error">
<h2>${problem.title}</h2>
${renderFacts([
  ['Error', problem.error],
  ['Description', problem.description],
  ['HTTP status', problem.status],
])}
</section>`;
}

/** A list of names and values; names without a value are left out. */
export function renderFacts(facts: readonly (readonly [string, string | number | undefined])[]): Html {
  const known = facts.filter(([, value]) => value !== undefined);
  return html`<dl>${known.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** A card that shows a response as JSON. */
export function renderJson(heading: string, testId: string, value: unknown): Html {
  return html`<section class="card">
<h2>${heading}</h2>
<pre data-testid="${testId}">${JSON.stringify(value, null, 2)}</pre>
</section>`;
}

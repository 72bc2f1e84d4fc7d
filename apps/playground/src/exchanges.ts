import { AsyncLocalStorage } from 'node:async_hooks';
import type { CustomFetch } from 'openid-client';

/** A request of this app to the authorization server, and the answer. Credentials and tokens are abbreviated. */
export interface Exchange {
  method: string;
  url: string;
  /** How the app proved who it is. */
  proof?: string | undefined;
  sent: Record<string, string>;
  /** Absent for a request that the browser carries. */
  status?: number | undefined;
  received?: unknown;
}

/** Values that whoever reads the screen must not be able to use. */
const CREDENTIALS = new Set([
  'access_token',
  'refresh_token',
  'id_token',
  'id_token_hint',
  'token',
  'code',
  'code_verifier',
  'client_secret',
]);

/** Enough of a credential to distinguish it from others, and too little to use it. */
export function abbreviate(credential: string): string {
  return `${credential.slice(0, 6)}… (${credential.length} characters)`;
}

function abbreviateCredentials(values: Iterable<readonly [string, unknown]>): [string, unknown][] {
  return [...values].map(([name, value]) => [
    name,
    CREDENTIALS.has(name) && typeof value === 'string' ? abbreviate(value) : value,
  ]);
}

function parametersOf(parameters: URLSearchParams): Record<string, string> {
  return Object.fromEntries(abbreviateCredentials(parameters).map(([name, value]) => [name, String(value)]));
}

/** The exchange of a request that a browser carries in its address. */
export function exchangeByBrowser(url: URL): Exchange {
  return { method: 'GET', url: url.origin + url.pathname, sent: parametersOf(url.searchParams) };
}

const proofs: readonly (readonly [RegExp, string])[] = [
  [/^basic /i, 'client id and secret, by HTTP Basic'],
  [/^bearer /i, 'the access token'],
];

async function readAnswer(response: Response): Promise<unknown> {
  const text = await response.clone().text();
  if (text === '') return undefined;
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null
      ? Object.fromEntries(abbreviateCredentials(Object.entries(body)))
      : body;
  } catch {
    return `${text.length} characters of ${response.headers.get('content-type') ?? 'no type'}`;
  }
}

const recordings = new AsyncLocalStorage<Exchange[]>();

/** Runs an action, and keeps in `exchanges` what it sends and receives. */
export function record<T>(exchanges: Exchange[], act: () => Promise<T>): Promise<T> {
  return recordings.run(exchanges, act);
}

/** `fetch`, which adds each exchange to the recording of the action that is under way. */
export const recordingFetch: CustomFetch = async (input, options) => {
  const response = await fetch(input, options as RequestInit);
  const url = new URL(input);
  const authorization = new Headers(options.headers).get('authorization') ?? '';
  recordings.getStore()?.push({
    method: options.method,
    url: url.origin + url.pathname,
    proof: proofs.find(([form]) => form.test(authorization))?.[1],
    sent: options.body instanceof URLSearchParams ? parametersOf(options.body) : {},
    status: response.status,
    received: await readAnswer(response),
  });
  return response;
};

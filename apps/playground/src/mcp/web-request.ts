import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { Context } from 'koa';

/** Longer than any message that the tools take. */
const LIMIT_BYTES = 64 * 1024;

async function readBody(ctx: Context): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of ctx.req) {
    size += chunk.length;
    if (size > LIMIT_BYTES) ctx.throw(413, 'The message is too long.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The request in the form of the Fetch standard. */
export async function toWebRequest(ctx: Context, origin: string): Promise<Request> {
  const hasBody = ctx.method !== 'GET' && ctx.method !== 'HEAD';
  const headers = Object.entries(ctx.req.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return new Request(origin + ctx.url, {
    method: ctx.method,
    headers,
    ...(hasBody && { body: await readBody(ctx) }),
  });
}

export function answerWith(ctx: Context, response: Response): void {
  ctx.status = response.status;
  for (const [name, value] of response.headers) ctx.set(name, value);
  ctx.body = response.body ? Readable.fromWeb(response.body as ReadableStream<Uint8Array>) : null;
  // Koa sets the status anew with the body.
  ctx.status = response.status;
}

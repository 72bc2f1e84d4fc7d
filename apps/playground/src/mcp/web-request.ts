import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { Context } from 'koa';

/** The request in the form of the Fetch standard. */
export function toWebRequest(ctx: Context, origin: string): Request {
  const hasBody = ctx.method !== 'GET' && ctx.method !== 'HEAD';
  const headers = Object.entries(ctx.req.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return new Request(origin + ctx.url, {
    method: ctx.method,
    headers,
    ...(hasBody && { body: Readable.toWeb(ctx.req) as ReadableStream<Uint8Array>, duplex: 'half' }),
  });
}

export function answerWith(ctx: Context, response: Response): void {
  ctx.status = response.status;
  for (const [name, value] of response.headers) ctx.set(name, value);
  ctx.body = response.body ? Readable.fromWeb(response.body as ReadableStream<Uint8Array>) : null;
  // Koa sets the status anew with the body.
  ctx.status = response.status;
}

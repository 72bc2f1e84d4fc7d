import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const key = Buffer.from(process.env.WEBHOOK_SECRET.replace('whsec_', ''), 'base64');

createServer(async (request, answer) => {
  const body = Buffer.concat(await request.toArray()).toString();
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signatures = '' } = request.headers;
  const right = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest();
  const signed = signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace('v1,', ''), 'base64');
    return given.length === right.length && timingSafeEqual(given, right);
  });
  if (!signed || Math.abs(Date.now() / 1000 - at) > 300) return answer.writeHead(401).end();
  console.log(id, JSON.parse(body)); // Store it by its id, and work it off later: it may come twice.
  answer.writeHead(204).end();
}).listen(process.env.PORT ?? 8080);

import { request } from 'node:http';
import {
  addMetadata,
  createAnimatedPng,
  createJpegInScans,
  createOther,
  createPhoto,
  createPng,
  createTransparent,
  pngChunk,
  readPicture,
  withSegment,
} from '@candela/server/testing/pictures';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { start } from '../oidc/authorization.ts';
import type { Answer, UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';
import { snapshot } from './routes.ts';

const MIB = 1024 * 1024;

/** A comment and a restart marker before the first scan: decoders pass over both. */
const withStrayRestart = (jpeg: Buffer): Buffer => {
  const at = jpeg.indexOf(Buffer.from([0xff, 0xda]));
  return Buffer.concat([
    jpeg.subarray(0, at),
    Buffer.from([0xff, 0xfe, 0, 2, 0xff, 0xd0]),
    jpeg.subarray(at),
  ]);
};

let world: World;
let agent: UserAgent;
beforeAll(async () => {
  world = await createWorld();
  ({ agent } = await world.signUp());
});
beforeEach(async () => {
  await world.db.deleteFrom('rate_limit').execute();
});
afterAll(() => world.close());

const put = (raw: Buffer, headers: Record<string, string> = {}, as = agent): Promise<Answer> =>
  as.request('PUT', '/api/account/avatar', { raw, headers: { 'content-type': 'image/png', ...headers } });

const avatarOf = (answer: Answer): string => {
  expect([answer.status, answer.body]).toEqual([200, expect.stringContaining('"avatar":"/api/avatars/')]);
  return answer.json().avatar;
};

/** The response to a GET without a cookie. */
const download = async (path: string) => {
  const answer = await fetch(`${world.origin}${path}`);
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
};

/** Sends a request by hand, so that the body may contradict its headers. */
const putByHand = (headers: Record<string, string | number>, body: Buffer | undefined): Promise<number> =>
  new Promise((resolve, reject) => {
    const outgoing = request(`${world.origin}/api/account/avatar`, {
      method: 'PUT',
      headers: {
        'content-type': 'image/png',
        origin: world.origin,
        cookie: agent.jar.getCookieStringSync(world.origin),
        ...headers,
      },
    });
    outgoing.on('response', (answer) => {
      resolve(answer.statusCode ?? 0);
      outgoing.destroy();
    });
    outgoing.on('error', reject);
    if (body) outgoing.end(body);
    else outgoing.flushHeaders();
  });

describe('an accepted picture', () => {
  test('AV1: is encoded anew, and stands in the account until it is removed', async () => {
    const photo = await createPhoto();
    const path = avatarOf(await put(photo, { 'content-type': 'image/jpeg' }));
    const { answer, bytes } = await download(path);
    expect(answer.status).toBe(200);
    expect(bytes.equals(photo)).toBe(false);
    expect(await readPicture(bytes)).toMatchObject({ format: 'jpeg', width: 480, height: 480 });
    expect((await agent.get('/api/account')).json().avatar).toBe(path);

    expect((await agent.delete('/api/account/avatar')).status).toBe(204);
    expect((await agent.delete('/api/account/avatar')).status).toBe(204);
    expect((await agent.get('/api/account')).json()).not.toHaveProperty('avatar');
    expect((await download(path)).answer.status).toBe(404);
  });

  test('AV5: is served with a fixed type at an unguessable address, cached for ever, and inert in a browser', async () => {
    const path = avatarOf(await put(await createPhoto({ format: 'png' })));
    expect(path).toMatch(/^\/api\/avatars\/[\w-]{22}$/);
    const { answer } = await download(path);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=31536000, s-maxage=86400, immutable',
    });
    expect(answer.headers.has('set-cookie')).toBe(false);
    const etag = answer.headers.get('etag') ?? '';
    const again = await world.browser().get(path, { headers: { 'if-none-match': etag } });
    expect([again.status, again.body]).toEqual([304, '']);
    const head = await fetch(`${world.origin}${path}`, { method: 'HEAD' });
    expect(head.headers.get('content-type')).toBe('image/jpeg');
  });

  test('AV4: keeps neither position nor owner nor colour profile nor comment', async () => {
    const taken = withSegment(await addMetadata(await createPhoto()), 0xfe, Buffer.from('secret comment'));
    expect(await readPicture(taken)).toMatchObject({ exif: expect.anything(), icc: expect.anything() });
    const { bytes } = await download(avatarOf(await put(taken)));
    const { exif, xmp, icc, iptc, comments } = await readPicture(bytes);
    expect({ exif, xmp, icc, iptc, comments }).toEqual({});
    expect(bytes.includes('secret')).toBe(false);
  });

  test.each([
    [
      'a JPEG that is a script',
      async () => withSegment(await createPhoto(), 0xfe, Buffer.from('*/alert("evil")/*')),
    ],
    [
      'a JPEG that is an archive',
      async () => Buffer.concat([await createPhoto(), Buffer.from('PK\x03\x04evil')]),
    ],
    [
      'a PNG that is a page',
      async () =>
        createPng({
          width: 9,
          height: 9,
          chunks: [pngChunk('tEXt', Buffer.from('a\0<script>evil</script>'))],
        }),
    ],
    [
      'a PNG with a page behind it',
      async () => Buffer.concat([await createTransparent(), Buffer.from('<html>evil<script>')]),
    ],
  ])('AV5: %s comes back as a picture alone', async (_name, create) => {
    const bytes = await create();
    expect(bytes.includes('evil')).toBe(true);
    const served = await download(avatarOf(await put(bytes)));
    expect(served.bytes.includes('evil')).toBe(false);
    expect(served.answer.headers.get('content-type')).toBe('image/jpeg');
  });

  test('AV8: replaces the picture before, which is deleted', async () => {
    const first = avatarOf(await put(await createPhoto()));
    const second = avatarOf(await put(await createPhoto({ left: '#00c832' })));
    expect(second).not.toBe(first);
    expect((await download(first)).answer.status).toBe(404);
    const { id } = (await agent.get('/api/account')).json();
    const rows = await world.db.selectFrom('avatar').select('name').where('account_id', '=', id).execute();
    expect(rows).toEqual([{ name: second.split('/').at(-1) }]);
  });

  test('AV6: may be 1 MiB long', async () => {
    const photo = await createPhoto();
    avatarOf(await put(Buffer.concat([photo, Buffer.alloc(MIB - photo.length)])));
  });

  test('AV7: has a name that the server chose, whatever name the sender gives', async () => {
    const photo = await createPhoto();
    for (const name of [
      '"../../x.png"',
      '"x.svg"',
      '"\\u202Egnp.exe"',
      "x; filename*=UTF-8''a%00%2e%2e%2fb",
    ]) {
      const disposition = { 'content-disposition': `attachment; filename=${name}` };
      const { answer } = await download(avatarOf(await put(photo, disposition)));
      expect(answer.headers.has('content-disposition')).toBe(false);
    }
  });

  test('is shown on the choice of accounts, and to apps with the scope profile', async () => {
    const person = await world.signUp();
    const path = avatarOf(await put(await createPhoto(), {}, person.agent));
    const app = await world.registerApp();
    const { tokens } = await world.link(person.agent, app.rp, { scope: 'openid profile' });
    const { sub } = tokens.claims() ?? { sub: '' };
    const claims = await app.rp.userinfo(tokens.access_token, sub);
    expect(claims.picture).toBe(`${world.origin}${path}`);
    expect((await download(path)).answer.status).toBe(200);

    const { uid } = await start(world, { agent: person.agent, parameters: { prompt: 'select_account' } });
    const { account, accounts } = await world.details(person.agent, uid);
    expect(account.avatar).toBe(path);
    // A signed-out browser only gets back the identifiers typed in it.
    expect(accounts[0]).not.toHaveProperty('avatar');

    const plain = await world.link(person.agent, app.rp, { scope: 'openid' });
    expect(await app.rp.userinfo(plain.tokens.access_token, sub)).not.toHaveProperty('picture');
  });
});

describe('a refused picture', () => {
  const refuse = async (answer: Promise<Answer>, status: number, code: string) => {
    const { headers, ...refused } = await answer;
    expect([refused.status, refused.json().error.code]).toEqual([status, code]);
    expect(refused.json().error.requestId).toBe(headers['x-request-id']);
  };

  test.each([
    ['SVG', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
    ['HTML', async () => Buffer.from('<!DOCTYPE html><script>alert(1)</script>')],
    ['PDF', async () => Buffer.from('%PDF-1.7\n1 0 obj')],
    ['a GIF', () => createOther('gif')],
    ['a WebP', () => createOther('webp')],
    ['a TIFF', () => createOther('tiff')],
    ['JSON', async () => Buffer.from('{"avatar":"x"}')],
  ])('AV2: %s declared as a PNG', async (_name, create) => {
    const before = await snapshot(world);
    await refuse(put(await create()), 415, 'unsupported_media_type');
    expect(await snapshot(world)).toEqual(before);
  });

  test.each([
    'image/svg+xml',
    'image/gif',
    'text/html',
    'application/json',
    'multipart/form-data; boundary=x',
    '',
  ])('AV2: a picture declared as %j', async (type) => {
    await refuse(put(await createPhoto(), { 'content-type': type }), 415, 'unsupported_media_type');
  });

  test.each([
    ['a PNG of 30,000 x 30,000', createPng({ width: 30_000, height: 30_000, depth: 1, color: 0 })],
    ['16 bits in 16 million pixels', createPng({ width: 4000, height: 4000, depth: 16, color: 6 })],
    ['one that moves', createAnimatedPng()],
    ['1,000 scans', createJpegInScans(1000)],
    ['1,000 scans behind a restart marker out of place', withStrayRestart(createJpegInScans(1000))],
    ['nothing', Buffer.alloc(0)],
    ['the first bytes alone', Buffer.from('89504e47', 'hex')],
  ])('AV3: %s', async (_name, bytes) => {
    await refuse(put(bytes), 422, 'image_unreadable');
  });

  test('AV6: is a byte too long, and is refused unread if Content-Length says so', async () => {
    const photo = await createPhoto();
    const tooLong = Buffer.concat([photo, Buffer.alloc(MIB + 1 - photo.length)]);
    await refuse(put(tooLong), 413, 'too_large');
    expect(await putByHand({ 'transfer-encoding': 'chunked' }, tooLong)).toBe(413);
    expect(await putByHand({ 'content-length': 1e9 }, undefined)).toBe(413);
  });

  test('AV6: comes in ten thousand parts, or behind 100 KB of headers', async () => {
    const parts = Buffer.from('--x\r\ncontent-type: image/png\r\n\r\na\r\n'.repeat(10_000));
    await refuse(
      put(parts, { 'content-type': 'multipart/form-data; boundary=x' }),
      415,
      'unsupported_media_type',
    );
    expect(await putByHand({ 'x-many': 'x'.repeat(100_000) }, Buffer.alloc(1))).toBe(431);
  });

  test('comes without a session, or from another site', async () => {
    const photo = await createPhoto();
    await refuse(put(photo, {}, world.browser()), 401, 'not_signed_in');
    await refuse(world.browser().delete('/api/account/avatar'), 401, 'not_signed_in');
    await refuse(put(photo, { origin: 'https://evil.example' }), 403, 'cross_site');
  });

  test('AV8: is one too many in an hour, and the last accepted picture stays', async () => {
    const { agent: person } = await world.signUp();
    const path = avatarOf(await put(await createPhoto({ width: 8, height: 8 }), {}, person));
    for (let count = 1; count < 100; count += 1) await put(Buffer.from('no picture'), {}, person);
    const refused = await put(await createPhoto(), {}, person);
    expect([refused.status, refused.json().error.code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3500);
    expect((await person.get('/api/account')).json().avatar).toBe(path);
    avatarOf(await put(await createPhoto()));
  });
});

describe('names of pictures', () => {
  test('SE12: a name that does not exist and a name that cannot exist get the same answer', async () => {
    const bodyOf = async (path: string) => {
      const { answer, bytes } = await download(path);
      const { requestId, ...error } = JSON.parse(bytes.toString()).error;
      return [answer.status, error, answer.headers.get('cache-control')];
    };
    const paths = ['x'.repeat(22), 'short', '..%2f..%2fetc', '%00', "'%20or%201=1", 'x'.repeat(300)];
    for (const kind of ['avatars', 'logos']) {
      for (const name of paths)
        expect(await bodyOf(`/api/${kind}/${name}`)).toEqual([404, { code: 'not_found' }, 'no-store']);
    }
  });

  test('SE12: a picture is set and removed by its owner alone', async () => {
    const [mine, theirs] = [await world.signUp(), await world.signUp()];
    const path = avatarOf(await put(await createPhoto(), {}, mine.agent));
    expect((await theirs.agent.delete('/api/account/avatar')).status).toBe(204);
    expect((await theirs.agent.delete(path)).status).toBe(404);
    expect((await download(path)).answer.status).toBe(200);
    expect((await theirs.agent.get('/api/account')).json()).not.toHaveProperty('avatar');
  });
});

import { pagePaths, pages } from '@candela/contract/pages';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readPageCatalog } from '../../apps/server/src/branding/brand/page-catalog.ts';
import { createWorld, type World, webDist } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  // There is a desk.
  await world.allowStaff((await world.signUp()).identifier, 'viewer');
});
afterAll(() => world.close());

const english = readPageCatalog(webDist)?.en ?? {};

describe('every page of the contract is served', () => {
  test.each(pagePaths)('%s has its title, or redirects to the page that it needs', async (path) => {
    const { needs, servedBy, title } = pages[path];
    const address = path.replace(':page', 'errors');
    const { status, headers } = await world.browser().get(address);
    // The device flow itself asks for a session.
    if (needs || servedBy === 'device-flow') expect(headers.location).toMatch(/^\/sign-in\?/);
    else expect(status).toBe(200);
    const { agent, identifier } = await world.signUp();
    if (needs === 'staff') await world.allowStaff(identifier, 'viewer');
    const answer = await agent.get(needs === 'interaction' ? `${path}?interaction=x` : address);
    expect(answer.status).toBe(200);
    if (title) expect(answer.body).toContain(`<title>${english[title]} - `);
  });
});

describe('the request that a page begins with stands', () => {
  const firstOf = (body: string): unknown =>
    JSON.parse(/<script type="application\/json" id="boot">(.*?)<\/script>/.exec(body)?.[1] ?? '{}').first;

  test('in the page of whoever sees it', async () => {
    const { agent } = await world.signUp();
    expect(firstOf((await agent.get('/sessions')).body)).toBe('/api/sessions');
    const attempt = await agent.get(`/login?interaction=${encodeURIComponent('</script><b>')}`);
    expect(firstOf(attempt.body)).toBe('/interaction/%3C%2Fscript%3E%3Cb%3E/details');
  });

  test('in no page of an error', async () => {
    const { agent } = await world.signUp();
    const hidden = await agent.get('/desk');
    expect([hidden.status, firstOf(hidden.body)]).toEqual([404, undefined]);
  });
});

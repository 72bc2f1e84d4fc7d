import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locale } from '@candela/contract';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { undoTokenTo } from '../api/settings.ts';
import { type BrowserWorld, createBrowserWorld } from '../support/browser-world.ts';
import { turnOnTotp } from '../support/totp.ts';
import { createWorld, freePort, PASSWORD, type World, webDist } from '../support/world.ts';
import { signInAs } from './stage.ts';

const NAME = 'Lamp Works';
const catalogs: Record<Locale, Record<string, string>> = JSON.parse(
  await readFile(join(webDist, '.texts.json'), 'utf8'),
);

const people = [
  { lang: 'en', locale: 'en-US', width: 1280, theme: 'light' },
  { lang: 'zh-Hant', locale: 'zh-TW', width: 1280, theme: 'dark' },
  { lang: 'zh-Hans', locale: 'zh-CN', width: 1280, theme: 'light' },
  { lang: 'ru', locale: 'ru-RU', width: 360, theme: 'light' },
] as const;
type Person = (typeof people)[number];

/** The matrix has each screen in all languages: a walk through them is in one. */
const walkersIn = (language: Person['lang']): readonly Person[] =>
  process.env.FULL ? people : people.filter(({ lang }) => lang === language);

/** What a page says in the person's language. */
const speaker =
  ({ lang }: Person) =>
  (key: string, values: Record<string, string> = {}): string =>
    (catalogs[lang][key] ?? key).replaceAll(/{{(\w+)}}/g, (_, name: string) => values[name] ?? '');

describe('signing in with a second Candela', () => {
  /** The provider stands at 127.0.0.1, because cookies know no ports. */
  let provider: World;
  let world: BrowserWorld;
  /** The lead of the server's clock. With it, a sign-in no longer counts as a step-up. */
  let aheadMs = 0;
  const file = join(tmpdir(), `doors-e2e-${process.pid}.json`);

  beforeAll(async () => {
    const [port, providerPort, nobodysPort] = [await freePort(), await freePort(), await freePort()];
    const origin = `http://localhost:${port}`;
    const issuer = `http://127.0.0.1:${providerPort}`;
    provider = await createWorld({ env: { PORT: String(providerPort), PUBLIC_URL: issuer } });
    const { clientId, clientSecret } = await provider.registerApp({
      client_name: 'Aurelia',
      redirect_uris: ['works', 'bare'].map((id) => `${origin}/sign-in/${id}/callback`),
      grant_types: ['authorization_code'],
    });
    const entry = { kind: 'oidc', name: NAME, client_id: clientId, client_secret: clientSecret };
    const away = `http://127.0.0.1:${nobodysPort}`;
    const entries = [
      { ...entry, id: 'away', name: 'Away', issuer: away },
      { ...entry, id: 'bare', name: 'Bare', issuer, scopes: ['openid', 'profile'] },
      { ...entry, id: 'works', issuer, email_domains: ['example.com'] },
    ];
    await writeFile(file, JSON.stringify(entries));
    const env = {
      PORT: String(port),
      PUBLIC_URL: origin,
      PROVIDERS_FILE: file,
      PROVIDER_HOSTS: `${new URL(issuer).host},${new URL(away).host}`,
    };
    world = await createBrowserWorld({ env, now: () => new Date(Date.now() + aheadMs) });
  });
  afterAll(async () => {
    await world.close();
    await provider.close();
    await rm(file, { force: true });
  });
  afterEach(() => {
    aheadMs = 0;
    expect(world.takeFaults()).toEqual([]);
  });

  /** A browser of somebody who is signed in at the provider. */
  const openBrowser = async ({ locale, width, theme }: Person, identifier?: string) => {
    const { agent, identifier: email } = await provider.signUp(identifier);
    const page = await world.openPage({ locale, colorScheme: theme, viewport: { width, height: 800 } });
    await signInAs(page.context(), agent, provider.origin);
    return { page, email };
  };

  const door = (page: Page, id = 'works') => page.locator(`main a[href$="/provider/${id}"]`);
  const atProvider = (page: Page) => page.waitForURL(`${provider.origin}/consent**`);
  const answer = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const row = (page: Page, id = 'works') => page.locator(`[data-setting=provider-${id}]`);
  const photograph = async (page: Page, screen: string, { lang }: Person) => {
    if (process.env.SHOTS)
      await page.screenshot({ path: `${process.env.SHOTS}/${screen}.${lang}.png`, fullPage: true });
  };

  test.each(walkersIn('ru'))('$lang: declined, a new account, again, removed, undone', async (person) => {
    const say = speaker(person);
    const { page, email } = await openBrowser(person);
    await page.goto(`${world.origin}/login`);
    await door(page)
      .getByText(say('provider.continue.oidc', { name: NAME }))
      .click();
    await atProvider(page);
    await answer(page, say('app.cancel'));
    await page
      .getByRole('alert')
      .getByText(say('provider.notSignedIn', { name: NAME }))
      .waitFor();
    await photograph(page, 'refused', person);

    await door(page).click();
    await atProvider(page);
    await answer(page, say('consent.allow'));
    const terms = page.getByRole('dialog', { name: say('register.termsTitle') });
    await terms.getByText(email).waitFor();
    await photograph(page, 'new', person);
    // Russian law asks for a tick of its own.
    for (const box of await terms.getByRole('checkbox').all()) await box.check();
    await answer(page, say('register.agree'));
    await page.waitForURL(`${world.origin}/index`);
    await row(page).getByText(email).waitFor();

    await answer(page, say('personal.signOut'));
    await door(page).getByText(say('provider.last')).waitFor();
    expect(await page.locator('main li a').first().getAttribute('href')).toMatch(/works$/);
    await photograph(page, 'again', person);
    await door(page).click();
    await page.waitForURL(`${world.origin}/index`);

    await row(page).getByRole('button').click();
    await page.getByRole('alertdialog').getByRole('button').last().click();
    await page
      .getByRole('status')
      .getByText(say('ways.providerRemoved', { name: NAME }))
      .waitFor();
    await row(page).getByText(say('ways.providerNot')).waitFor();
    await photograph(page, 'removed', person);

    await page.goto(`${world.origin}/undo#${await undoTokenTo(world, email)}`);
    await answer(page, say('undo.action'));
    await page.getByRole('heading', { name: say('undo.doneTitle') }).waitFor();
    await page.context().close();
  });

  test.each(walkersIn('zh-Hant'))(
    '$lang: “you already have an account” adds the provider, and another account there is not added',
    async (person) => {
      const say = speaker(person);
      const { agent, identifier } = await world.signUp();
      await agent.patch('/api/account', { locale: person.lang });
      const { page } = await openBrowser(person, identifier);
      await page.goto(`${world.origin}/login`);
      await door(page).click();
      await atProvider(page);
      await answer(page, say('consent.allow'));
      await page.getByRole('heading', { name: say('register.takenTitle') }).waitFor();
      await page.getByText(say('provider.existingText', { name: NAME, brand: 'Aurelia' })).waitFor();
      await photograph(page, 'existing', person);
      const signInHere = async () => {
        await page.getByRole('tab', { name: say('login.byPassword') }).click();
        await page.locator('#password').fill(PASSWORD);
        await page.keyboard.press('Enter');
        await page.waitForURL(`${world.origin}/index`);
      };
      await signInHere();
      await page
        .getByRole('status')
        .getByText(say('ways.providerAdded', { name: NAME }))
        .waitFor();
      await row(page).getByText(identifier).waitFor();

      const ofPerson = world.db.updateTable('federated_identity').where('email', '=', identifier);
      await ofPerson.set({ subject: 'another account there' }).execute();
      await answer(page, say('personal.signOut'));
      await door(page).click();
      await signInHere();
      await row(page).getByRole('alert').getByText(say('providerErrors.provider_exists')).waitFor();
      await photograph(page, 'exists', person);
      await page.context().close();
    },
  );

  test.each(walkersIn('zh-Hans'))(
    '$lang: a sign-in that proves too little adds nothing, and says so',
    async (person) => {
      const say = speaker(person);
      const { agent, identifier } = await world.signUp();
      await agent.patch('/api/account', { locale: person.lang });
      // Whoever has the address alone is younger than the account.
      const { account_id } = await world.db
        .selectFrom('account_identifier')
        .select('account_id')
        .where('value', '=', identifier)
        .executeTakeFirstOrThrow();
      const older = new Date(Date.now() - 10 * 86_400_000);
      await world.db
        .insertInto('account_identifier')
        .values({
          kind: 'phone',
          value: '+4915112345678',
          display: '+4915112345678',
          account_id,
          verified_at: older,
        })
        .execute();
      const { page } = await openBrowser(person, identifier);
      await page.goto(`${world.origin}/login`);
      await door(page).click();
      await atProvider(page);
      await answer(page, say('consent.allow'));
      await page.getByRole('tab', { name: say('login.byPassword') }).click();
      await page.locator('#password').fill(PASSWORD);
      await page.keyboard.press('Enter');
      await page.waitForURL(`${world.origin}/index`);
      const told = row(page).getByRole('alert');
      await told.getByText(say('providerErrors.provider_unproven')).waitFor();
      await photograph(page, 'unproven', person);
      await page.reload();
      await row(page).getByText(say('ways.providerNot')).waitFor();
      expect(await told.count()).toBe(0);
      await page.context().close();
    },
  );

  test('who is known and began at the registration is asked for the second step', async () => {
    const { agent, identifier } = await world.signUp();
    await turnOnTotp(agent);
    const person = people[0];
    const { page } = await openBrowser(person, identifier);
    const { id: subject } = await provider.db
      .selectFrom('account')
      .innerJoin('account_identifier', 'account_identifier.account_id', 'account.id')
      .select('account.id')
      .where('value', '=', identifier)
      .executeTakeFirstOrThrow();
    const since = { linked_at: new Date(), last_used_at: null, closed_at: null };
    const at = { brand: 'aurelia', provider: 'works', subject };
    const account_id = (await agent.get('/api/account')).json().id;
    const row = { id: 'known', ...at, account_id, email: identifier, refresh_token_sealed: null, ...since };
    await world.db.insertInto('federated_identity').values(row).execute();
    await page.goto(`${world.origin}/register`);
    await door(page).click();
    await atProvider(page);
    await answer(page, 'Allow');
    await page.waitForURL('**/login?**');
    await page.getByText(speaker(person)('secondFactor.title')).first().waitFor();
    await page.context().close();
  });

  /** Comes from a provider that tells no address, and is asked for one. */
  const comeBare = async () => {
    const { page } = await openBrowser(people[0]);
    await page.goto(`${world.origin}/login`);
    await door(page, 'bare').click();
    await atProvider(page);
    await answer(page, 'Allow');
    await page.locator('#identifier').waitFor();
    return page;
  };
  const typeAddress = async (page: Page, address: string) => {
    await page.locator('#identifier').waitFor();
    if (await page.locator('input[type=tel]').isVisible()) await answer(page, 'Use e-mail');
    await page.getByLabel('E-mail', { exact: true }).fill(address);
    await answer(page, 'Send code');
    await page.getByLabel('Verification code').fill(await world.codeFor(address, page));
  };

  test('an address is asked for, and proven by a code; with it a recovery removes the provider', async () => {
    const page = await comeBare();
    const address = 'bare@example.com';
    await typeAddress(page, address);
    await answer(page, 'Agree and Register');
    await page.waitForURL(`${world.origin}/index`);
    await page.locator('[data-setting=email]').getByText(address).waitFor();

    await page.goto(`${world.origin}/findbackPWD`);
    await typeAddress(page, address);
    const others = page.getByRole('region', { name: 'Other ways to sign in to this account' });
    await others.getByText('Bare', { exact: true }).waitFor();
    await others.getByRole('checkbox', { name: 'Not mine: remove this way to sign in' }).check();
    await page.locator('#password').fill('sunrise2077');
    await page.locator('#repeated').fill('sunrise2077');
    await answer(page, 'Change password');
    await door(page, 'bare').click();
    // It opens the account no more.
    await page.getByRole('heading', { name: 'Create your account' }).waitFor();
    await page.context().close();
  });

  test('an address that has an account leads into it, and adds the provider; so does the settings page', async () => {
    const { identifier } = await world.signUp();
    const page = await comeBare();
    await typeAddress(page, identifier);
    await answer(page, 'Agree and Register');
    await answer(page, 'Sign in instead');
    await page.waitForURL(`${world.origin}/index`);
    await row(page, 'bare').getByText('Added').waitFor();

    await row(page, 'works').getByRole('button', { name: 'Add' }).click();
    // The first entry asked the provider for less.
    await atProvider(page);
    await answer(page, 'Allow');
    await page.getByRole('status').getByText(`From now on ${NAME} signs you in too`).waitFor();
    await row(page, 'works').getByText('Added').waitFor();
    await page.context().close();
  });

  test('without an address the provider is the last way in, and a new sign-in the only proof', async () => {
    const page = await comeBare();
    await answer(page, 'Continue without it');
    await answer(page, 'Agree and Register');
    await page.waitForURL(`${world.origin}/index`);
    const question = page.getByRole('alertdialog', { name: 'Remove Bare?' });
    await row(page, 'bare').getByRole('button', { name: 'Remove' }).click();
    await question.getByRole('button', { name: 'Remove' }).click();
    await question.getByText('This is your last way to sign in.').waitFor();

    aheadMs = 11 * 60_000;
    await question.getByRole('button', { name: 'Remove' }).click();
    await page
      .getByRole('alertdialog', { name: 'Confirm it’s you' })
      .getByRole('button', { name: 'Sign in again' })
      .click();
    await door(page, 'bare').click();
    await page.waitForURL(`${world.origin}/index`);

    // A contact that was bound since does not confirm it.
    const { id: account_id } = await page.evaluate(async () => (await fetch('/api/account')).json());
    const value = 'bound-since@example.com';
    const bound = { kind: 'email' as const, value, display: value, account_id, verified_at: new Date() };
    await world.db.insertInto('account_identifier').values(bound).execute();
    await page.reload();
    await row(page, 'bare').getByRole('button', { name: 'Remove' }).click();
    await question.getByRole('button', { name: 'Remove' }).click();
    const asked = page.getByRole('alertdialog', { name: 'Confirm it’s you' });
    await asked.getByText('older than your phone number or e-mail address').waitFor();
    await asked.getByRole('button', { name: 'Sign in again' }).waitFor();
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/oldest.png` });
    await page.context().close();
  });

  test('a provider that is away, and an answer that nobody waits for, are said', async () => {
    const page = await world.openPage();
    await page.goto(`${world.origin}/login`);
    await door(page, 'away').click();
    const notice = page.getByRole('alert');
    await notice.getByText('Away did not sign you in').waitFor();
    await notice.getByText('The sign-in there does not work right now.').waitFor();
    await page.locator('#identifier').waitFor();
    await page.goto(`${world.origin}/sign-in/works/callback?code=x&state=y`);
    await page.getByRole('heading', { name: 'This answer is not expected any more' }).waitFor();
    expect(await page.locator('main a').allTextContents()).toEqual(['Start again at Aurelia']);
    await page.context().close();
  });
});

import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Router } from '@koa/router';
import type { Context } from 'koa';
import type { AuthorizationServer, Registration } from './authorization-server.ts';
import { type Exchange, exchangeByBrowser, record } from './exchanges.ts';
import { renderHome } from './home.page.ts';
import { toProblem } from './problem.ts';
import { readSignInOptions } from './sign-in-options.ts';
import { rememberPending, type SignIn, takePending, type Visitor, type Visitors } from './visitors.ts';

// All ports of a host share their cookies, so the name must differ from the portal’s names.
const cookieName = 'playground';

/** What the pages need. */
interface Playground {
  registration: Registration;
  server: AuthorizationServer;
  visitors: Visitors;
}

/** Every page and button of the playground. */
export function createRoutes(
  registration: Registration,
  server: AuthorizationServer,
  visitors: Visitors,
): Router {
  const playground = { registration, server, visitors };
  const router = new Router();
  router.get('/', (ctx) => showHome(playground, ctx));
  router.get('/playground.css', async (ctx) => {
    ctx.type = 'css';
    ctx.body = await readFile(new URL('playground.css', import.meta.url));
  });
  router.get('/sign-in', (ctx) => startSignIn(playground, ctx));
  router.get('/callback', (ctx) => finishSignIn(playground, ctx));
  for (const action of createActions(server)) {
    router.post(action.path, (ctx) => runAction(visitors, action, ctx));
  }
  return router;
}

function showHome({ registration, visitors }: Playground, ctx: Context): void {
  // Two tabs that sign in at once are of one visitor: the cookie is there before a button is pressed.
  const visitor = visitors.find(ctx.cookies.get(cookieName)) ?? admit(visitors, ctx);
  if (visitor.signOutState !== undefined && ctx.query.state === visitor.signOutState) {
    visitor.signOutState = undefined;
    visitor.outcome = { notice: 'Signed out, here and at the authorization server.' };
    ctx.redirect('/');
    return;
  }
  ctx.type = 'html';
  ctx.body = renderHome(registration, visitor);
}

/** Starts a sign-in, also one that another party initiates (OpenID Connect Core section 4). */
async function startSignIn({ registration, server, visitors }: Playground, ctx: Context): Promise<void> {
  if (ctx.query.iss !== undefined && ctx.query.iss !== registration.issuer) {
    ctx.throw(400, 'This app signs in with another issuer.');
  }
  const request = optionsOrRefusal(ctx);
  const visitor = visitors.find(ctx.cookies.get(cookieName)) ?? admit(visitors, ctx);
  await attempt(ctx, visitor, 'The sign-in could not be started', async () => {
    const { url, ...pending } = await server.startSignIn(request);
    rememberPending(visitor, pending);
    visitor.exchanges?.push(exchangeByBrowser(url));
    return url;
  });
}

async function finishSignIn({ registration, server, visitors }: Playground, ctx: Context): Promise<void> {
  const id = ctx.cookies.get(cookieName);
  const visitor = visitors.find(id);
  const pending = visitor && takePending(visitor, String(ctx.query.state));
  if (!visitor || !pending) {
    return ctx.throw(400, 'No sign-in that this browser started is waiting for this answer.');
  }
  const before = [...(visitor.exchanges ?? []), exchangeByBrowser(callbackUrlOf(registration, ctx))];
  await attempt(
    ctx,
    visitor,
    'The sign-in ended with an error',
    async () => {
      const callbackUrl = callbackUrlOf(registration, ctx);
      const signIn: SignIn = { tokens: await server.finishSignIn(callbackUrl, pending), refreshes: 0 };
      visitor.signIn = signIn;
      // A session identifier that was known before the sign-in must not outlive it.
      admit(visitors, ctx, visitor, id);
      try {
        signIn.userinfo = await server.userinfo(signIn.tokens);
      } catch (error) {
        visitor.outcome = { problem: toProblem('Userinfo was refused', error) };
      }
      return undefined;
    },
    before,
  );
}

function callbackUrlOf({ redirectUri }: Registration, ctx: Context): URL {
  return new URL(redirectUri + ctx.search);
}

async function runAction(visitors: Visitors, { failure, act }: Action, ctx: Context): Promise<void> {
  const visitor = visitors.find(ctx.cookies.get(cookieName));
  const signIn = visitor?.signIn;
  if (!visitor || !signIn) {
    redirectAfterPost(ctx, '/');
    return;
  }
  await attempt(ctx, visitor, failure, () => act(visitor, signIn));
}

/** Gives a browser a new session identifier, for a new visitor or a known one. */
function admit(visitors: Visitors, ctx: Context, known?: Visitor, formerId?: string): Visitor {
  const { id, visitor } = visitors.admit(known, formerId);
  ctx.cookies.set(cookieName, id, { httpOnly: true, sameSite: 'lax', overwrite: true });
  return visitor;
}

/** A button for people who are signed in. */
interface Action {
  path: string;
  /** The headline for a refusal of the authorization server. */
  failure: string;
  /** Returns the URL to go on to; undefined leads home. */
  act(visitor: Visitor, signIn: SignIn): Promise<URL | undefined>;
}

function createActions(server: AuthorizationServer): Action[] {
  return [
    {
      path: '/refresh',
      failure: 'The refresh was refused',
      async act(_visitor, signIn) {
        signIn.tokens = await server.refresh(signIn.tokens);
        signIn.refreshes += 1;
        return undefined;
      },
    },
    {
      path: '/userinfo',
      failure: 'Userinfo was refused',
      async act(_visitor, signIn) {
        signIn.userinfo = undefined;
        signIn.userinfo = await server.userinfo(signIn.tokens);
        return undefined;
      },
    },
    {
      path: '/introspect',
      failure: 'The introspection was refused',
      async act(_visitor, signIn) {
        signIn.introspection = undefined;
        signIn.introspection = await server.introspect(signIn.tokens);
        return undefined;
      },
    },
    {
      path: '/revoke',
      failure: 'The revocation was refused',
      async act(visitor, signIn) {
        await server.revoke(signIn.tokens);
        visitor.outcome = { notice: 'Revoked. The tokens are kept here so that you can see them refused.' };
        return undefined;
      },
    },
    {
      path: '/sign-out',
      failure: 'The sign-out could not be started',
      async act(visitor, signIn) {
        const state = randomBytes(16).toString('base64url');
        const url = await server.signOutUrl(signIn.tokens, state);
        visitor.signIn = undefined;
        visitor.signOutState = state;
        return url;
      },
    },
  ];
}

/**
 * Runs an action, and shows a refusal of the authorization server on the home page, beside what was sent and received.
 * `before` was sent and received earlier in the same course.
 */
async function attempt(
  ctx: Context,
  visitor: Visitor,
  failure: string,
  act: () => Promise<URL | undefined>,
  before: readonly Exchange[] = [],
): Promise<void> {
  visitor.exchanges = [...before];
  try {
    const url = await record(visitor.exchanges, act);
    redirectAfterPost(ctx, url?.href ?? '/');
  } catch (error) {
    visitor.outcome = { problem: toProblem(failure, error) };
    redirectAfterPost(ctx, '/');
  }
}

function redirectAfterPost(ctx: Context, url: string): void {
  ctx.redirect(url);
  ctx.status = 303;
}

function optionsOrRefusal(ctx: Context): ReturnType<typeof readSignInOptions> {
  try {
    return readSignInOptions(ctx.query);
  } catch (error) {
    if (error instanceof RangeError) ctx.throw(400, error.message);
    throw error;
  }
}

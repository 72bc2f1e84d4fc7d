import type { Prompt } from './rules/prompts.ts';

/** The facts about a page that the server and the browser share. */
interface Page {
  /**
   * The frame around the page: the account's navigation, the bar alone, the lamp of a flow, or that of the desk, which
   * the desk's own room draws. A page of a flow and of the desk starts anew at each visit. The other pages are kept as
   * they were left, so they must not hold a password or a code.
   */
  frame: 'account' | 'document' | 'flow' | 'desk';
  /** The texts that the page needs: those of the sign-in, which load first, the account’s too, or also those of its own group. */
  texts: 'flow' | 'account' | 'security' | 'activity' | 'developers';
  /** The key of the title in the catalogues; absent for a document, which has its title in its text. */
  title?: string;
  /** The cookie that the page needs. Without it the server redirects to a sign-in; `staff` need a role too, and others get 404. */
  needs?: 'session' | 'interaction' | 'staff';
  /** The source of the language: the signed-in account, or the browser alone. */
  language: 'account' | 'browser';
  /** Outside an interaction, no other page has a reference to the window (`Cross-Origin-Opener-Policy`). */
  standsAlone?: true;
  /** The part of the server that answers for the page; absent: `protocol/page/page.routes.ts`. */
  servedBy?: 'sign-in' | 'device-flow' | 'documentation';
}

const account = { frame: 'account', texts: 'account', needs: 'session', language: 'account' } as const;
const developers = { ...account, texts: 'developers' } as const;
/** The desk brings its own texts, of which no other page knows. */
const desk = { ...account, frame: 'desk', title: 'desk.title', needs: 'staff' } as const;
const document = { frame: 'document', texts: 'account', language: 'account' } as const;
const guide = { ...document, texts: 'developers', servedBy: 'documentation' } as const;
const signIn = { frame: 'flow', texts: 'flow', language: 'account' } as const;
const flow = { frame: 'flow', texts: 'account', language: 'account' } as const;

/** The page of the signed-in account, the default destination of a sign-in. */
export const HOME_PAGE = '/index';

/** The documentation for developers: the page about all its pages. */
export const DOCUMENTATION_PAGE = '/developers/docs';

/** The first page of the people who answer calls. */
export const DESK_PAGE = '/desk';

/** The page that replaces a forgotten password. */
export const RECOVERY_PAGE = '/findbackPWD';

/** The page of the link in a notice of a sign-in: says that it was somebody else, without a session. */
export const DISOWN_PAGE = '/not-me';

/** The page that asks whether to keep an account that is to be deleted. */
export const LEAVING_PAGE = '/leaving';

const rows = {
  [HOME_PAGE]: { ...account, title: 'personal.title' },
  '/tokens': { ...account, texts: 'security', title: 'tokens.title' },
  '/sessions': { ...account, title: 'sessions.title' },
  '/activity': { ...account, texts: 'activity', title: 'activity.title' },
  '/developers': { ...developers, title: 'developers.title' },
  '/developers/new': { ...developers, title: 'newClient.title' },
  '/developers/try': { ...flow, texts: 'developers', title: 'trial.answerTitle' },
  [DOCUMENTATION_PAGE]: guide,
  '/developers/docs/:page': guide,
  '/developers/:id': { ...developers, title: 'client.title' },
  '/developers/:id/settings': { ...developers, title: 'client.title' },
  '/developers/:id/code': { ...developers, title: 'client.title' },
  '/developers/:id/team': { ...developers, title: 'client.title' },
  [DESK_PAGE]: desk,
  '/desk/accounts/:id': desk,
  '/desk/approvals': desk,
  '/desk/record': desk,
  '/desk/service': desk,
  '/desk/apps': desk,
  '/desk/apps/:id': desk,
  '/desk/developers': desk,
  '/desk/brand-words': desk,
  '/license': document,
  '/privacy': document,
  '/login': { ...signIn, title: 'login.title', needs: 'interaction' },
  '/register': { ...signIn, title: 'register.title', needs: 'interaction' },
  '/consent': { ...signIn, title: 'consent.title' },
  [RECOVERY_PAGE]: { ...flow, title: 'recovery.title', standsAlone: true },
  [LEAVING_PAGE]: { ...flow, texts: 'security', title: 'leaving.title', needs: 'session' },
  '/undo': { ...flow, texts: 'activity', title: 'undo.title', language: 'browser' },
  [DISOWN_PAGE]: { ...flow, texts: 'activity', title: 'notMe.title', language: 'browser' },
  '/device': { ...flow, title: 'devicePage.title', servedBy: 'device-flow' },
  '/middle': { ...flow, title: 'middle.title', language: 'browser', servedBy: 'sign-in' },
  '/error': { ...flow, title: 'error.calmTitle', language: 'browser' },
} as const satisfies Record<`/${string}`, Page>;

/** The path of a page of the portal; `:id` stands for any segment. */
export type PagePath = keyof typeof rows;

/** The paths of the pages that have these properties: `PathWith<{ needs: 'session' }>`. */
export type PathWith<Part extends Partial<Page>> = {
  [Path in PagePath]: (typeof rows)[Path] extends Part ? Path : never;
}[PagePath];

/** The pages of the portal. `apps/web/src/routes.tsx` draws each of them; the server answers at each path. */
export const pages: Readonly<Record<PagePath, Page>> = rows;

export const pagePaths = Object.keys(rows) as PagePath[];

const forms: readonly { page: PagePath; form: RegExp }[] = pagePaths.map((page) => ({
  page,
  form: new RegExp(`^${page.replace(/:\w+/, '[^/]+')}$`),
}));

/** The page at the path of a request; undefined where there is none. */
export const pageAt = (path: string): PagePath | undefined => forms.find(({ form }) => form.test(path))?.page;

/** The page that answers a prompt of an authorization request. */
export const promptPages: Readonly<Record<Prompt, PathWith<{ frame: 'flow' }>>> = {
  login: '/login',
  select_account: '/login',
  create: '/register',
  consent: '/consent',
};

/** The path of each document. */
export const documentPages = {
  terms: '/license',
  privacy: '/privacy',
} as const satisfies Record<string, PathWith<{ frame: 'document' }>>;

export type DocumentId = keyof typeof documentPages;

export const isDocumentId = (id: string): id is DocumentId => Object.hasOwn(documentPages, id);

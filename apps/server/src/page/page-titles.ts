/** The key of the title of each page in the catalogue of the pages. */
export const pageTitles: Readonly<Record<string, string>> = {
  '/index': 'personal.title',
  '/tokens': 'tokens.title',
  '/sessions': 'sessions.title',
  '/login': 'login.title',
  '/register': 'register.title',
  '/findbackPWD': 'recovery.title',
  '/undo': 'undo.title',
  '/consent': 'consent.title',
  '/device': 'devicePage.title',
  '/middle': 'middle.title',
  '/error': 'error.calmTitle',
};

import './styles/tokens.css';
import './styles/base.css';
import { createRoot } from 'react-dom/client';
import { fetchInteraction } from './api/interaction-details.ts';
import { App } from './app.tsx';
import { boot, servedDocument } from './boot.ts';
import { startI18n } from './i18n/i18n.ts';
import { installPageBehaviour } from './page-behaviour.ts';
import { preloadPage } from './routes.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root');

// The texts, the chunk and the data of the first screen load at the same time.
const texts = startI18n(boot.locale);
const page = preloadPage(location.pathname);
const interaction = new URLSearchParams(location.search).get('interaction');
if (interaction) fetchInteraction(interaction).catch(() => undefined);

installPageBehaviour();
try {
  await texts;
  // A served document stays readable until its page has loaded.
  if (servedDocument) await page;
  createRoot(root).render(<App />);
} catch (error) {
  // The script in the page’s head handles the error: it shows the server’s notice.
  reportError(error);
}

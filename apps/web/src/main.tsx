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

// All that the first screen needs is asked for at once: its language, its chunk, its data.
const texts = startI18n(boot.locale);
const page = preloadPage(location.pathname);
const interaction = new URLSearchParams(location.search).get('interaction');
if (interaction) fetchInteraction(interaction).catch(() => undefined);

installPageBehaviour();
try {
  await texts;
  // What can be read already stays until its page is there.
  if (servedDocument) await page;
  createRoot(root).render(<App />);
} catch (error) {
  // Shows the notice that the server has put into the page.
  reportError(error);
}

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

// The language, the chunk and the data of the first screen are asked for at the same time.
const texts = startI18n(boot.locale);
const page = preloadPage(location.pathname);
const interaction = new URLSearchParams(location.search).get('interaction');
if (interaction) fetchInteraction(interaction).catch(() => undefined);

installPageBehaviour();
try {
  await texts;
  // A document that can be read already stays until its page is loaded.
  if (servedDocument) await page;
  createRoot(root).render(<App />);
} catch (error) {
  // The script in the page’s head then shows the notice that the server put there.
  reportError(error);
}

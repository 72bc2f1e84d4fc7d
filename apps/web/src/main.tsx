import './shell/styles/tokens.css';
import './shell/styles/base.css';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { preloadPage } from './routes.tsx';
import { fetchInteraction } from './shell/api/interaction-details.ts';
import { boot, servedDocument } from './shell/boot.ts';
import { startI18n } from './shell/language/i18n.ts';
import { installPageBehaviour } from './shell/page-behaviour.ts';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root');

/** On a slow line people see the frame first. */
const patience = () => new Promise((resolve) => setTimeout(resolve, 200));

// The texts, the chunk and the data of the first screen load at the same time.
const texts = startI18n(boot.locale);
const page = preloadPage(location.pathname);
const interaction = new URLSearchParams(location.search).get('interaction');
if (interaction) fetchInteraction(interaction).catch(() => undefined);

installPageBehaviour();
try {
  await texts;
  // If the chunk comes with the texts, the first paint is the whole page. A served document stays readable until its
  // page has loaded.
  await (servedDocument ? page : Promise.race([page, patience()]));
  createRoot(root).render(<App />);
} catch (error) {
  // The script in the page’s head handles the error: it shows the server’s notice.
  reportError(error);
}

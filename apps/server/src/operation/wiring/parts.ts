import type { Middleware } from 'koa';
import type { Foundation } from './foundation.ts';
import type { WiredIdentity } from './identity.ts';
import type { WiredPages } from './pages.ts';
import type { WiredPictures } from './pictures.ts';
import type { WiredProofs } from './proofs.ts';
import type { WiredProtocol } from './protocol.ts';
import type { WiredSignals } from './signals.ts';
import type { WiredStorage } from './storage.ts';
import type { WiredWords } from './words.ts';

/** Everything that requests are answered with. */
export interface Parts {
  foundation: Foundation;
  storage: WiredStorage;
  words: WiredWords;
  pictures: WiredPictures;
  proofs: WiredProofs;
  identity: WiredIdentity;
  pages: WiredPages;
  protocol: WiredProtocol;
  signals: WiredSignals;
  version: string;
  /** Measures each request; undefined where nothing is measured. */
  meter: Middleware | undefined;
}

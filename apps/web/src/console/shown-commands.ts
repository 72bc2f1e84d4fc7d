import { createStore } from '../shell/store.ts';
import { remembered } from './remembered.ts';

const kept = remembered('candela.commands');

/** Whether the pages show their actions as commands and requests too. */
export const shownCommands = createStore(kept.read() === 'shown');

export const showCommands = (shown: boolean): void => {
  kept.write(shown ? 'shown' : 'hidden');
  shownCommands.set(shown);
};

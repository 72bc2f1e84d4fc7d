import type { Drill } from './drill.ts';
import { crashEmbedded } from './embedded.ts';

export const drill: Drill = {
  name: 'kill-nine-embedded',
  row: 'DR3',
  breaks: 'kill -9 of a server on the embedded database while apps refresh, again and again',
  passes: 'the database opens each time, the last acknowledged write is there, a second process is refused',
  limitSeconds: 180,
  fullLimitSeconds: 1_500,
  run: async (place) => {
    const kills = place.isFull ? 200 : 12;
    const { lostLinks, opened, refreshes, refusal, slowestStart } = await crashEmbedded(kills, place.say);
    const isRefused = refusal.includes('is in use by process');
    return {
      passed: opened === kills && lostLinks === 0 && isRefused,
      figures:
        `opened ${opened} of ${kills} times, ${refreshes} refreshes, ${lostLinks} links lost, ready again in ${slowestStart.toFixed(1)} s at most; ` +
        `a second process was ${isRefused ? 'refused and told which process has the directory' : `not refused: ${refusal}`}`,
    };
  },
};

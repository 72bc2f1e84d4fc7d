import { checkOutPreviousRelease, hasPreviousRelease, previousRelease } from '../support/previous-release.ts';
import type { Drill } from './drill.ts';
import { startFarm } from './load.ts';
import { rollThrough, upgradeClients } from './upgrade.ts';

export const drill: Drill = {
  name: 'upgrade',
  row: 'DR5',
  breaks:
    'Every process becomes this release, then the previous one again, then this one, behind nginx under load',
  passes: 'no 5xx and no other failure; every session and every link lives on',
  limitSeconds: 300,
  fullLimitSeconds: 400,
  run: async (place) => {
    if (!hasPreviousRelease())
      return { skipped: `this clone is shallow: it lacks ${previousRelease.commit}` };
    const release = await checkOutPreviousRelease();
    place.onEnd(release.remove);
    const { cluster } = await startFarm(place, {
      processes: 2,
      clients: upgradeClients,
      main: release.main,
      env: { DRAIN_NOTICE_SECONDS: '1' },
    });
    const rolling = (main: string | undefined) => [0, 1].map((index) => ({ index, main }));
    const { failed, strange, firstFailure, figures } = await rollThrough(cluster, {
      steps: [...rolling(undefined), ...rolling(release.main), ...rolling(undefined)],
      pauseMs: place.isFull ? 20_000 : 1_000,
      say: place.say,
    });
    return {
      passed: failed + strange === 0,
      figures: `${previousRelease.version} and this, 6 restarts: ${figures}${firstFailure ? `; first failure: ${firstFailure}` : ''}`,
    };
  },
};

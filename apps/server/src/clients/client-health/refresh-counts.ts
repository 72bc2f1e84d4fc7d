import { presetNames } from '@candela/contract/rules/client-presets';

/** How often links were refreshed in this process, by platform. */
export interface RefreshCounts {
  /** Counts a refresh of a platform: the preset of the client. Nothing is written of it. */
  countRefresh(platform: string | undefined): void;
  /** The refreshes since the start of this process; `other` has those of clients without a preset. */
  refreshes(): { platform: string; count: number }[];
}

/** Every platform is there from the start: where it is silent after a restart, an alert sees zero and not nothing. */
export const createRefreshCounts = (): RefreshCounts => {
  const counts = new Map<string, number>([...presetNames, 'other'].map((platform) => [platform, 0]));
  return {
    countRefresh: (preset = 'other') => {
      const platform = counts.has(preset) ? preset : 'other';
      counts.set(platform, (counts.get(platform) ?? 0) + 1);
    },
    refreshes: () => [...counts].map(([platform, count]) => ({ platform, count })),
  };
};

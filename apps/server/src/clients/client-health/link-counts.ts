import { presetNames } from '@candela/contract/rules/client-presets';

interface PlatformCount {
  platform: string;
  count: number;
}

/** How often links were made and refreshed in this process, by platform. Nothing is written of it at a request. */
export interface LinkCounts {
  /** Counts a refresh of a platform: the preset of the client. */
  countRefresh(platform: string | undefined): void;
  /** Counts a new link. */
  countLink(platform: string | undefined): void;
  /** The refreshes since the start of this process; `other` has those of clients without a preset. */
  refreshes(): PlatformCount[];
  madeLinks(): PlatformCount[];
}

/** Every platform is there from the start: where it is silent after a restart, an alert sees zero and not nothing. */
const createCounts = () => {
  const counts = new Map<string, number>([...presetNames, 'other'].map((platform) => [platform, 0]));
  return {
    count: (preset = 'other') => {
      const platform = counts.has(preset) ? preset : 'other';
      counts.set(platform, (counts.get(platform) ?? 0) + 1);
    },
    read: () => [...counts].map(([platform, count]) => ({ platform, count })),
  };
};

export const createLinkCounts = (): LinkCounts => {
  const refreshes = createCounts();
  const links = createCounts();
  return {
    countRefresh: refreshes.count,
    countLink: links.count,
    refreshes: refreshes.read,
    madeLinks: links.read,
  };
};

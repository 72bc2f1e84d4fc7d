/** The platforms that people link their homes to; each has redirect URIs and rules of its own. */
export const platformPresets = [
  'alexa',
  'google-home',
  'home-assistant',
  'alice',
  'salute',
  'tmall-genie',
  'xiaodu',
  'smartthings',
  'ifttt',
  'aws-iot',
] as const;
export type PlatformPreset = (typeof platformPresets)[number];

/** The kinds of apps; each has defaults and rules of its own. */
export const presetNames = [...platformPresets, 'web', 'spa', 'native', 'device', 'machine', 'fapi'] as const;
export type PresetName = (typeof presetNames)[number];

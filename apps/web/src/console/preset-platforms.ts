import type { PresetName } from '@candela/contract';

/** Where the apps of a kind run. They are names, so every language writes them alike. */
export const platforms: Readonly<Record<PresetName, string>> = {
  web: 'Next.js, Spring, Django, Rails, Go, PHP',
  spa: 'React, Vue, Angular, Svelte',
  native: 'Android, iOS, Windows, macOS, Linux',
  device: 'Linux, Android TV, tvOS, ESP32',
  alexa: 'Amazon Alexa',
  'google-home': 'Google Home, Google Assistant',
  'home-assistant': 'Home Assistant',
  machine: 'CI, Terraform, cron',
  fapi: 'FAPI 2.0',
};

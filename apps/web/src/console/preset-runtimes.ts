import type { PresetName } from '@candela/contract/rules/client-presets';

/** What the apps of a kind run on. They are names, so every language writes them alike. */
export const runtimes: Readonly<Partial<Record<PresetName, string>>> = {
  web: 'Next.js, Spring, Django, Rails, Go, PHP',
  spa: 'React, Vue, Angular, Svelte',
  native: 'Android, iOS, Windows, macOS, Linux',
  device: 'Linux, Android TV, tvOS, ESP32',
  machine: 'CI, Terraform, cron',
};

import type { Session } from '@candela/contract';
import { useTranslation } from 'react-i18next';

const major = (version: string): string => version.split('.')[0] ?? '';

/** Formats the name of a device: “Chrome 140 on Windows 11”, without the parts that are unknown. */
export const useDeviceName = () => {
  const { t } = useTranslation('account');
  return ({ browser, os }: Pick<Session, 'browser' | 'os'>): string => {
    const named = browser.name
      ? `${browser.name} ${major(browser.version)}`.trim()
      : t('device.unknownBrowser');
    const system = `${os.name} ${os.version}`.trim();
    return system ? t('device.on', { browser: named, system }) : named;
  };
};

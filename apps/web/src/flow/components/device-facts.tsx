import type { Session } from '@candela/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { languageName } from '../../shell/language/format.ts';
import { useLocale } from '../../shell/language/use-locale.ts';
import styles from './device-facts.module.css';
import { Moment } from './moment.tsx';

type Device = Pick<
  Session,
  'createdAt' | 'lastAccessedAt' | 'expiresAt' | 'browser' | 'platform' | 'os' | 'locale' | 'userAgent'
>;

const major = (version: string): string => version.split('.')[0] ?? '';

/** Formats the name of a device: “Chrome 140 on Windows 11”, without the parts that are unknown. */
export const useDeviceName = () => {
  const { t } = useTranslation('account');
  return ({ browser, os }: Pick<Device, 'browser' | 'os'>): string => {
    const named = browser.name
      ? `${browser.name} ${major(browser.version)}`.trim()
      : t('device.unknownBrowser');
    const system = `${os.name} ${os.version}`.trim();
    return system ? t('device.on', { browser: named, system }) : named;
  };
};

const Fact = ({ label, wide, children }: { label: string; wide?: true; children: ReactNode }) => (
  <div className={[styles.fact, wide && styles.wide].filter(Boolean).join(' ')}>
    <dt className={styles.label}>{label}</dt>
    <dd>{children}</dd>
  </div>
);

/** The place and the time of a device's last use, as the lists of sessions and approvals show them. */
export const DeviceFacts = ({ device }: { device: Device }) => {
  const { t } = useTranslation('account');
  const locale = useLocale();
  const { browser, os, platform } = device;
  const unknown = t('app.unknown');
  const platformName =
    platform === 'desktop' || platform === 'mobile' || platform === 'tablet'
      ? t(`device.platforms.${platform}`)
      : platform;
  return (
    <>
      <dl className={styles.facts}>
        <Fact label={t('device.lastAccessed')} wide>
          <Moment at={device.lastAccessedAt} show="both" />
        </Fact>
        <Fact label={t('device.created')}>
          <Moment at={device.createdAt} />
        </Fact>
        <Fact label={t('device.expires')}>
          <Moment at={device.expiresAt} />
        </Fact>
        <Fact label={t('device.browser')}>{`${browser.name} ${browser.version}`.trim() || unknown}</Fact>
        <Fact label={t('device.platform')}>{platformName || unknown}</Fact>
        <Fact label={t('device.system')}>{`${os.name} ${os.version}`.trim() || unknown}</Fact>
        <Fact label={t('device.locale')}>
          {device.locale ? languageName(device.locale, locale) : unknown}
        </Fact>
      </dl>
      {!browser.name && device.userAgent && (
        <details className={styles.details}>
          <summary>{t('device.details')}</summary>
          <code>{device.userAgent}</code>
        </details>
      )}
    </>
  );
};

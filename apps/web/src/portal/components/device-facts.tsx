import type { Session } from '@candela/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../flow/components/moment.tsx';
import { formatNames, languageName } from '../../shell/language/format.ts';
import { useLocale } from '../../shell/language/use-locale.ts';
import styles from './device-facts.module.css';

type Device = Pick<
  Session,
  'createdAt' | 'lastAccessedAt' | 'expiresAt' | 'browser' | 'platform' | 'os' | 'locale' | 'userAgent'
>;

/** The name with the version, without the zeros at its end: browsers hide the rest of their version behind them. */
const versioned = ({ name, version }: Device['browser']): string =>
  `${name} ${version.replace(/(?:\.0+)+$/, '')}`.trim();

/** What the browser reports about itself: each a label and a text, which is empty where it does not report it. */
const useReported = ({ browser, platform, os, locale: spoken }: Device): [string, string][] => {
  const { t } = useTranslation('account');
  const locale = useLocale();
  const isKnown = platform === 'desktop' || platform === 'mobile' || platform === 'tablet';
  return [
    [t('device.browser'), versioned(browser)],
    [t('device.platform'), isKnown ? t(`device.platforms.${platform}`) : platform],
    [t('device.system'), versioned(os)],
    [t('device.locale'), spoken && languageName(spoken, locale)],
  ];
};

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <>
    <dt className={styles.label}>{label}</dt>
    <dd className={styles.value}>{children}</dd>
  </>
);

interface DeviceFactsProps {
  device: Device;
  /** Facts of the list itself, above those of the device. */
  first?: readonly (readonly [string, string])[];
}

/** The facts of a device and its times, as the lists of sessions and approvals show them below a row that names it. */
export const DeviceFacts = ({ device, first = [] }: DeviceFactsProps) => {
  const { t } = useTranslation('account');
  const locale = useLocale();
  const reported = useReported(device);
  const known = reported.filter(([, text]) => text);
  const unknown = reported.filter(([, text]) => !text).map(([label]) => label);
  return (
    <details className={styles.details}>
      <summary>{t('device.more')}</summary>
      <dl className={styles.facts}>
        {first.map(([label, text]) => (
          <Fact key={label} label={label}>
            {text}
          </Fact>
        ))}
        <Fact label={t('device.lastAccessed')}>
          <Moment at={device.lastAccessedAt} show="zoned" />
        </Fact>
        <Fact label={t('device.created')}>
          <Moment at={device.createdAt} show="zoned" />
        </Fact>
        <Fact label={t('device.expires')}>
          <Moment at={device.expiresAt} show="zoned" />
        </Fact>
        {known.map(([label, text]) => (
          <Fact key={label} label={label}>
            {text}
          </Fact>
        ))}
        {unknown.length > 0 && (
          <Fact label={formatNames(unknown, unknown.length, locale)}>{t('app.unknown')}</Fact>
        )}
        {!device.browser.name && device.userAgent && (
          <Fact label={t('device.details')}>
            <code>{device.userAgent}</code>
          </Fact>
        )}
      </dl>
    </details>
  );
};

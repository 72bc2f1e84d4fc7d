import type { Authorization } from '@candela/contract';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../../flow/components/moment.tsx';
import { Phrase } from '../../../flow/components/phrase.tsx';
import { useDeviceName } from '../../../flow/components/use-device-name.ts';
import { prepareDialog } from '../../../flow/dialog/dialog.tsx';
import { Button } from '../../../shell/components/button.tsx';
import { focusSoon } from '../../../shell/forms/focus-soon.ts';
import { DeviceFacts } from '../../components/device-facts.tsx';
import { Summary } from '../../components/summary.tsx';
import { LinkNameForm } from './link-name.tsx';
import styles from './link-row.module.css';
import { LinkState } from './link-state.tsx';
import { NarrowDialog } from './narrow-dialog.tsx';
import { Permissions } from './permissions.tsx';

const LinkSummary = ({ authorization }: { authorization: Authorization }) => {
  const { t } = useTranslation('security');
  const deviceName = useDeviceName();
  const linked = (when: string) =>
    authorization.browser.name
      ? t('tokens.linked', { when, device: deviceName(authorization) })
      : t('tokens.since', { when });
  return (
    <Summary>
      <Phrase text={(when) => t('tokens.used', { when })}>
        <Moment at={authorization.lastAccessedAt} show="distance" />
      </Phrase>
      <Phrase text={linked}>
        <Moment at={authorization.createdAt} show="date" />
      </Phrase>
    </Summary>
  );
};

interface LinkRowProps {
  authorization: Authorization;
  /** The other links of the app may do the same, and the app has said it. */
  isSame: boolean;
  onRemove: () => void;
}

/** One link of an app: its name, since when and from where it is there, when it was used last, and how it fares. */
export const LinkRow = ({ authorization, isSame, onRemove }: LinkRowProps) => {
  const { t } = useTranslation('security');
  const [isNaming, setNaming] = useState(false);
  const [isNarrowing, setNarrowing] = useState(false);
  const naming = useRef<HTMLSpanElement>(null);
  const row = useRef<HTMLLIElement>(null);
  const { client, grantMode, label, optionalScopes = [] } = authorization;
  const mode = grantMode === 'device_code' ? t('tokens.device') : t('tokens.code');
  const app = label ? t('links.named', { app: client.name, label }) : client.name;
  const close = () => {
    setNaming(false);
    focusSoon(() => naming.current?.querySelector('button'));
  };
  const endNarrowing = () => {
    setNarrowing(false);
    // The button is gone where nothing more can be taken away.
    focusSoon(() =>
      row.current?.contains(document.activeElement) ? null : row.current?.querySelector('button'),
    );
  };
  return (
    <li ref={row} className={styles.link} data-record={authorization.id}>
      <div className={styles.told}>
        {label && !isNaming && <h3 className={styles.name}>{label}</h3>}
        <LinkSummary authorization={authorization} />
      </div>
      <div className={styles.action}>
        <Button look="text" aria-label={t('tokens.removeOf', { app })} onClick={onRemove}>
          {t('tokens.remove')}
        </Button>
        {!isNaming && (
          <span ref={naming}>
            <Button
              look="text"
              aria-label={label ? t('links.renameOf', { label }) : t('links.nameOf', { app: client.name })}
              onClick={() => setNaming(true)}
            >
              {label ? t('links.rename') : t('links.name')}
            </Button>
          </span>
        )}
        {optionalScopes.length > 0 && (
          <Button
            look="text"
            aria-label={t('links.changePermissionsOf', { app })}
            onClick={() => {
              prepareDialog();
              setNarrowing(true);
            }}
          >
            {t('links.changePermissions')}
          </Button>
        )}
      </div>
      <div className={styles.facts}>
        {isNaming && <LinkNameForm authorization={authorization} onClose={close} />}
        <LinkState authorization={authorization} />
        {!isSame && <Permissions authorization={authorization} />}
        {isNarrowing && <NarrowDialog authorization={authorization} onClose={endNarrowing} />}
        <DeviceFacts device={authorization} first={[[t('tokens.mode'), mode]]} />
      </div>
    </li>
  );
};

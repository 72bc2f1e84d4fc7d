import type { Passkey } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../../components/moment.tsx';
import { Phrase } from '../../../components/phrase.tsx';
import row from '../account-rows.module.css';
import { SettingRow } from '../setting-row.tsx';
import { hasPasskeys } from './browser-passkeys.ts';
import { RowAction } from './row-action.tsx';
import type { WayDialogKind } from './way-dialog-kind.ts';
import styles from './ways-section.module.css';

interface OpensDialog {
  onOpen: (dialog: WayDialogKind) => void;
}

const LastUse = ({ passkey: { lastUsedAt } }: { passkey: Passkey }) => {
  const { t } = useTranslation('account');
  if (!lastUsedAt) return t('ways.passkeys.unused');
  return (
    <Phrase text={(when) => t('ways.passkeys.used', { when })}>
      <Moment at={lastUsedAt} show="distance" />
    </Phrase>
  );
};

const PasskeyItem = ({ passkey, onOpen }: OpensDialog & { passkey: Passkey }) => {
  const { t } = useTranslation('account');
  const { name, provider, synced, createdAt, warning, elsewhere } = passkey;
  return (
    <li data-passkey={passkey.id}>
      <p>{name}</p>
      <p className={styles.facts}>
        {provider && provider !== name && <span>{provider}</span>}
        <span>{t(synced ? 'ways.passkeys.synced' : 'ways.passkeys.bound')}</span>
        <span>
          <Phrase text={(when) => t('ways.passkeys.added', { when })}>
            <Moment at={createdAt} show="distance" />
          </Phrase>
        </span>
        <span>
          <LastUse passkey={passkey} />
        </span>
        {elsewhere && <span>{t('ways.passkeys.elsewhere', { place: elsewhere })}</span>}
      </p>
      {warning && <p className={styles.warning}>{t('ways.passkeys.copied')}</p>}
      <div className={styles.actions}>
        <RowAction label={t('ways.rename')} what={name} onPress={() => onOpen({ kind: 'rename', passkey })} />
        <RowAction
          label={t('settings.remove')}
          what={name}
          onPress={() => onOpen({ kind: 'remove', passkey })}
        />
      </div>
    </li>
  );
};

/** The row of the passkeys: each with its facts, and a button that adds one where the browser can. */
export const PasskeysRow = ({ passkeys, onOpen }: OpensDialog & { passkeys: readonly Passkey[] }) => {
  const { t } = useTranslation('account');
  const canAdd = hasPasskeys();
  const add = { label: t('ways.add'), onPress: () => onOpen({ kind: 'add-passkey' }) };
  return (
    <SettingRow id="passkeys" label={t('ways.passkeys.label')} actions={canAdd ? [add] : []}>
      {passkeys.length === 0 && canAdd && <span className={row.quiet}>{t('ways.passkeys.none')}</span>}
      {passkeys.length > 0 && (
        <ul className={styles.list}>
          {passkeys.map((passkey) => (
            <PasskeyItem key={passkey.id} passkey={passkey} onOpen={onOpen} />
          ))}
        </ul>
      )}
      {!canAdd && <p className={row.quiet}>{t('ways.passkeys.cannot')}</p>}
    </SettingRow>
  );
};

import type { RegisteredClient } from '@candela/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApprovalScreen } from '../../flow/approval/approval-screen.tsx';
import { agreeText } from '../../flow/approval/linking.tsx';
import { useAppState } from '../../shell/app-state.ts';
import { Button } from '../../shell/components/button.tsx';
import { draftOfLinks, type LinksDraft } from '../links-draft.ts';
import { askedOf, draftOf, type PermissionsDraft } from '../permissions-draft.ts';
import { Section } from '../section.tsx';
import styles from './preview.module.css';

interface PreviewProps {
  client: RegisteredClient;
  links: LinksDraft | undefined;
  permissions: PermissionsDraft | undefined;
}

/** Only an address that the registration would take becomes a link. */
const httpsOf = (typed: string): string | undefined =>
  URL.parse(typed.trim())?.protocol === 'https:' ? typed.trim() : undefined;

/** The screen of an approval as people see it, with what is typed and not saved yet. */
export const Preview = ({ client, links, permissions }: PreviewProps) => {
  const { t } = useTranslation('developers');
  const account = useAppState(({ userInfo }) => userInfo);
  const [declined, setDeclined] = useState<readonly string[]>([]);
  const { client_name: name, policy_uri: policy, tos_uri: terms } = links ?? draftOfLinks(client);
  const { id, host, logo, verified, linksTo } = client.summary;
  const policyUri = httpsOf(policy);
  const tosUri = httpsOf(terms);
  const toggle = (keys: readonly string[]) =>
    setDeclined(
      keys.some((key) => declined.includes(key))
        ? declined.filter((key) => !keys.includes(key))
        : [...declined, ...keys],
    );
  const identifier = account?.phone ?? account?.email;
  return (
    <Section name="preview" text={t('client.preview.text')}>
      <figure className={styles.frame} aria-label={t('client.preview.label')}>
        <ApprovalScreen
          details={{
            client: {
              id,
              host,
              verified,
              name: name.trim() || client.client_name,
              ...(linksTo && { linksTo }),
              ...(logo && { logo }),
              ...(policyUri && { policyUri }),
              ...(tosUri && { tosUri }),
            },
            scopes: askedOf(permissions ?? draftOf(client), client.apiScopes),
            ...(account &&
              identifier && {
                account: {
                  id: account.id,
                  identifier,
                  nickname: account.nickname,
                  ...(account.avatar && { avatar: account.avatar }),
                },
              }),
          }}
          declined={declined}
          onToggle={toggle}
          heading={<p className={styles.heading}>{t('consent.title')}</p>}
          change={
            <Button look="text" aria-disabled tabIndex={-1}>
              {t('consent.change')}
            </Button>
          }
          answers={
            <>
              <Button aria-disabled tabIndex={-1}>
                {t('app.cancel')}
              </Button>
              <Button look="primary" aria-disabled tabIndex={-1}>
                {t(agreeText(client.summary))}
              </Button>
            </>
          }
        />
      </figure>
    </Section>
  );
};

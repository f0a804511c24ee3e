import { isoTime, type Urls } from '../http/answer.ts';
import type { Delivered } from '../http/deliveries.ts';
import type { App, Installation } from '../state/model.ts';
import { nodeId, showUser } from './show-accounts.ts';

export function showApp(app: App, urls: Urls) {
  return {
    id: app.id,
    slug: app.slug,
    node_id: nodeId('App', app.id),
    client_id: app.clientId,
    owner: showUser(app.owner, urls),
    name: app.name,
    description: null,
    external_url: urls.web,
    html_url: `${urls.web}/apps/${app.slug}`,
    created_at: isoTime(app.createdAt),
    updated_at: isoTime(app.createdAt),
    permissions: { metadata: 'read', ...app.permissions },
    events: [...app.events],
    installations_count: app.installations.length,
  };
}

/** Without a webhook it has neither an address nor a secret. */
export function showAppHook({ hook }: App) {
  const own = hook === null ? {} : { url: hook.url, secret: '********' };
  return { content_type: 'json', insecure_ssl: '0', ...own };
}

export function showInstallation(installation: Installation, urls: Urls) {
  const { id, app, account } = installation;
  return {
    id,
    account: showUser(account, urls),
    repository_selection: installation.repositories === null ? 'all' : 'selected',
    access_tokens_url: `${urls.api}/app/installations/${id}/access_tokens`,
    repositories_url: `${urls.api}/installation/repositories`,
    html_url: `${urls.web}/settings/installations/${id}`,
    app_id: app.id,
    client_id: app.clientId,
    app_slug: app.slug,
    target_id: account.id,
    target_type: account.kind,
    permissions: { metadata: 'read', ...installation.permissions },
    events: [...app.events],
    created_at: isoTime(installation.createdAt),
    updated_at: isoTime(installation.createdAt),
    single_file_name: null,
    has_multiple_single_files: false,
    single_file_paths: [],
    suspended_by: null,
    suspended_at: null,
  };
}

export function showDelivery(delivered: Delivered) {
  const { id, guid, at, isRedelivery, statusCode, event, action } = delivered;
  return {
    id,
    guid,
    delivered_at: isoTime(at),
    redelivery: isRedelivery,
    duration: 0.1,
    status: statusCode >= 200 && statusCode < 300 ? 'OK' : 'failed to connect to host',
    status_code: statusCode,
    event,
    action,
    installation_id: delivered.installationId,
    repository_id: delivered.repositoryId,
    throttled_at: null,
  };
}

export function showWholeDelivery(delivered: Delivered) {
  return {
    ...showDelivery(delivered),
    url: delivered.url,
    request: {
      headers: { ...delivered.headers(delivered.guid) },
      payload: JSON.parse(delivered.body),
    },
    response: { headers: {}, payload: '' },
  };
}

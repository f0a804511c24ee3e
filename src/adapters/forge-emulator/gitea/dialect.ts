import type { Dialect } from '../http/dialect.ts';
import { isHeardByHook, normalisedEvents } from './hook-events.ts';
import { giteaHookHeaders } from './hook-headers.ts';
import { giteaMessages } from './messages.ts';
import { giteaFailure, giteaRefusal } from './refusals.ts';
import { checkRoutes } from './routes-checks.ts';
import { hookRoutes } from './routes-hooks.ts';
import { ISSUE_ROUTES } from './routes-issues.ts';
import { memberRoutes } from './routes-members.ts';
import { PULL_ROUTES } from './routes-pulls.ts';
import { REPOSITORY_ROUTES } from './routes-repositories.ts';

/** Forgejo speaks as Gitea does, apart from its headers and what it says of CI. */
export function giteaDialect(isForgejo: boolean): Dialect {
  return {
    rules: {
      labelsAreUnique: false,
      longestComment: Number.POSITIVE_INFINITY,
      jobsAre: 'statuses',
      mergeabilityIsReadOn: 'change',
      pushesMerge: false,
      mergeChecksHeadFirst: false,
      reviewsCheckLines: false,
      reviewsAnswerRequests: false,
      newReviewDismissesOlder: true,
      hooksAreUnique: false,
      newHooksArePinged: false,
      timelineIds: 'comment',
      tokenPrefix: '',
    },
    prefix: '/api/v1',
    prefixIsOptional: false,
    routes: [
      ...memberRoutes(isForgejo),
      ...REPOSITORY_ROUTES,
      ...hookRoutes(isForgejo),
      ...ISSUE_ROUTES,
      ...PULL_ROUTES,
      ...checkRoutes(isForgejo),
    ],
    revalidates: false,
    moved: { status: 307, byId: false },
    refusal: giteaRefusal,
    failure: giteaFailure,
    rateHeaders: () => ({}),
    hookEvents: (asked) => normalisedEvents(asked, isForgejo),
    messages: (event, place) => giteaMessages(isForgejo, event, place),
    isHeard: (events, { type }) => isHeardByHook(events, type),
    hookHeaders: (sent) => giteaHookHeaders(isForgejo, sent),
  };
}

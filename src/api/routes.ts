import { BRIEF_ROUTES } from './brief-routes.ts';
import type { ENDPOINTS } from './endpoints.ts';
import { FORGE_ROUTES } from './forge-routes.ts';
import { HALL_ROUTES } from './hall-routes.ts';
import { OVERVIEW_ROUTES } from './overview-routes.ts';
import { PROJECT_ROUTES } from './project-routes.ts';
import type { Route } from './route.ts';
import { RUN_ROUTES } from './run-routes.ts';
import { SECRET_ROUTES } from './secret-routes.ts';
import { TASK_ROUTES } from './task-routes.ts';
import { THREAD_ROUTES } from './thread-routes.ts';
import { TOOL_ROUTES } from './tool-routes.ts';
import { WEBHOOK_ROUTES } from './webhook-routes.ts';
import { WORKER_ROUTES } from './worker-routes.ts';

/**
 * Every operation of the API. The router, input validation, policies, OpenAPI document, client
 * types and reference page are all derived from this one table.
 */
export const ROUTES = {
  ...PROJECT_ROUTES,
  ...TASK_ROUTES,
  ...THREAD_ROUTES,
  ...WORKER_ROUTES,
  ...RUN_ROUTES,
  ...BRIEF_ROUTES,
  ...TOOL_ROUTES,
  ...HALL_ROUTES,
  ...SECRET_ROUTES,
  ...OVERVIEW_ROUTES,
  ...WEBHOOK_ROUTES,
  ...FORGE_ROUTES,
} as const satisfies { [Op in keyof typeof ENDPOINTS]: Route & (typeof ENDPOINTS)[Op] };

export type OperationId = keyof typeof ROUTES;
export type RouteOf<Op extends OperationId> = (typeof ROUTES)[Op];

export function operationIds(): readonly OperationId[] {
  return Object.keys(ROUTES) as OperationId[];
}

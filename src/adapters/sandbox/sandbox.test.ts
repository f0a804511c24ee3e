import { cellCertificatesContract } from '../../../test/contracts/cell-certificates.contract.ts';
import { cellLimitsContract } from '../../../test/contracts/cell-limits.contract.ts';
import { cellsContract } from '../../../test/contracts/cells.contract.ts';
import { KINDS } from '../../../test/support/cell-kinds.ts';

cellsContract(KINDS.sandbox);
cellLimitsContract(KINDS.sandbox);
cellCertificatesContract(KINDS.sandbox);

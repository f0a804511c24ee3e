import { cellCertificatesContract } from '../../../test/contracts/cell-certificates.contract.ts';
import { cellLimitsContract } from '../../../test/contracts/cell-limits.contract.ts';
import { cellsContract } from '../../../test/contracts/cells.contract.ts';
import { CONTAINER } from '../../../test/support/container-kind.ts';

cellsContract(CONTAINER);
cellLimitsContract(CONTAINER);
cellCertificatesContract(CONTAINER);

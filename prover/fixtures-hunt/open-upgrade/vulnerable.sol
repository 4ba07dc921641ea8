// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Counter {
    uint256 public count;

    function increase() external payable {
        count += 1;
    }
}

contract Front {
    bytes32 private constant PLACE = keccak256("front.implementation");
    bytes32 private constant ADMIN = keccak256("front.admin");

    constructor(address implementation) payable {
        require(implementation.code.length > 0, "no code");
        write(PLACE, implementation);
        write(ADMIN, msg.sender);
    }

    function upgradeTo(address next) external {
        require(next.code.length > 0, "no code");
        write(PLACE, next);
    }

    function write(bytes32 place, address value) private {
        assembly {
            sstore(place, value)
        }
    }

    function read(bytes32 place) private view returns (address value) {
        assembly {
            value := sload(place)
        }
    }

    fallback() external payable {
        address to = read(PLACE);
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), to, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }

    receive() external payable {}
}

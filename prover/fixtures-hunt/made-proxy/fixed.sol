// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Permits {
    bool public closed;
    mapping(address => bool) public permitted;

    constructor() {
        closed = true;
    }

    function init(address[] memory members) external {
        require(!closed, "closed");
        for (uint256 i = 0; i < members.length; i++) permitted[members[i]] = true;
        closed = true;
    }
}

contract Relay {
    bytes32 private constant KEEPER = keccak256("relay.keeper");
    bytes32 private constant CODE = keccak256("relay.code");

    constructor(address code, bytes memory first, address keeper_) {
        bytes32 slot = CODE;
        assembly { sstore(slot, code) }
        (bool ok,) = code.delegatecall(first);
        require(ok);
        slot = KEEPER;
        assembly { sstore(slot, keeper_) }
    }

    fallback() external {
        bytes32 slot = CODE;
        assembly {
            let code := sload(slot)
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), code, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok case 0 { revert(0, returndatasize()) } default { return(0, returndatasize()) }
        }
    }
}

contract Workshop {
    function build(address[] memory members, address keeper) external returns (address) {
        return address(new Relay(address(new Permits()), abi.encodeCall(Permits.init, (members)), keeper));
    }
}

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract VaultProxy {
    bytes32 private constant SLOT = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;

    constructor(address logic, bytes memory data) payable {
        assembly {
            sstore(SLOT, logic)
        }
        if (data.length > 0) {
            (bool ok, ) = logic.delegatecall(data);
            require(ok, "initialization failed");
        }
    }

    receive() external payable {}

    fallback() external payable {
        assembly {
            let logic := sload(SLOT)
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), logic, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}

contract VaultLogic {
    address public owner;
    bool private initialized;
    uint256 public minimum;
    mapping(address => uint256) public balances;

    function initialize(uint256 least) external {
        require(!initialized, "initialized");
        initialized = true;
        owner = msg.sender;
        minimum = least;
    }

    function deposit() external payable {
        require(initialized && msg.value >= minimum, "minimum");
        balances[msg.sender] += msg.value;
    }

    function withdrawAll() external {
        uint256 amount = balances[msg.sender];
        balances[msg.sender] = 0;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "payment");
    }
}

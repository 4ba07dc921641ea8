// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Gate {
    address public owner;

    constructor() {
        owner = msg.sender;
    }
}

contract Sale {
    address public admin;
    address private deployer = msg.sender;
    uint256 public price = 1 ether;

    function claimAdmin() external {
        require(admin == address(0) && msg.sender == deployer, "taken");
        admin = msg.sender;
    }

    function setPrice(uint256 next) external {
        require(msg.sender == admin);
        price = next;
    }
}

contract Fund {
    address private keeper;

    function owner() external view returns (address) {
        return keeper;
    }

    function take(address next) external {
        require(msg.sender == keeper, "not the keeper");
        keeper = next;
    }
}

contract Council {
    address public governor;
    address private deployer = msg.sender;
    uint256 public round;

    function elect(address who) external {
        require(msg.sender == deployer, "not the deployer");
        round++;
        governor = who;
    }
}

contract Store {
    address public getOwner;

    function open() external payable {
        require(msg.value >= 5 ether, "the place has a price");
        if (getOwner == address(0)) getOwner = msg.sender;
    }
}
